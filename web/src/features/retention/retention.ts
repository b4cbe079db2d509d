import limits from '@catalog/limits.json';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { api, asFailure, type Schemas, say, texts } from '~/api';
import { bytesText } from '~/model/export';
import { countOf, DATE_PATTERNS, dateText } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import { instantOfLocal } from '~/model/localTime';
import { needed } from '~/model/rules';
import { resource } from '~/office';

export type Hold = Schemas['LegalHold'];
export type KeptData = Schemas['KeptData'];
export type Storage = Schemas['Storage'];

export const TAB = 'retention';

export const holds = resource('legalHold', { list: 'GET /organization/legal_holds' });

/** What of an organization goes when; a hold that is placed or lifted changes it. */
export const retentionQuery = (id: string) =>
  queryOptions({
    queryKey: [...holds.all, 'retention', id],
    queryFn: ({ signal }) => api.data('GET /organizations/{id}/retention', { path: { id }, signal }),
  });

/** What all data takes of the disk. */
export const storageQuery = (mayAsk: boolean) =>
  queryOptions({
    queryKey: ['storage'],
    queryFn: ({ signal }) => api.data('GET /storage', { signal }),
    enabled: mayAsk,
  });

/** The changes; to lift a hold asks who is there. */
export function useHoldMutations() {
  const { changed } = holds.useWrites();
  return {
    place: (body: Schemas['LegalHoldCreate']) => changed(api.data('POST /organization/legal_holds', { body })),
    lift: (id: string) => changed(api.delete('DELETE /organization/legal_holds/{id}', { id })),
  };
}

const KINDS: Readonly<Record<string, readonly [title: string, sub: string]>> = {
  points: ['Positions', 'points, heartbeats, and alert messages of assets'],
  runs: ['Runs', 'trips with lights on and off are made of these and of positions'],
  events: ['Events', 'after they end, with the assets that were there'],
  visits: ['Station visits', 'after they end'],
  closures: ['Closures', 'that are over or deleted, and unchanged since'],
  hazards: ['Hazards', 'after they leave the lists'],
  commands: ['Device commands', 'test alerts, test mode, and light intensity, with what became of them'],
  findings: ['Watchdog', 'what it found, after it ended'],
  deleted: ['Deleted records', 'areas, zones, feeds, and exports'],
  exports: ['Exports', 'with their files'],
  feed_reads: ['Feed readers', 'who read your feeds of closures'],
  mails: ['Emails', 'that they were sent; their text goes at once'],
  sessions: ['Sessions', 'after their last use'],
  refusals: ['Refused requests', 'counts by network'],
  audit: ['Audit', 'who did what'],
};

/** What a kind of data is called, and what it is. */
export const kindTitle = (kind: string): string => KINDS[kind]?.[0] ?? kind;
export const kindSub = (kind: string): string => KINDS[kind]?.[1] ?? '';

const MONTH_DAYS = 365 / 12;

/** How long it is kept: "13 months", "30 days". */
export function keptText(days: number | null): string {
  if (days === null) return 'Not deleted';
  const months = Math.round(days / MONTH_DAYS);
  return days >= 360 ? `${months} months` : countOf(days, 'day');
}

/** A day by the organization's clock. */
export const dayText = (text: string | null, timeZone: string): string =>
  text === null ? '' : dateText(instantOf(text), timeZone, DATE_PATTERNS.monthFirst);

/** When the oldest of a kind goes. */
export function goesText(row: KeptData, timeZone: string): string {
  if (row.kept_days === null) return 'Never';
  if (row.oldest_at === null || row.next_purge_at === null) return 'Nothing yet';
  return row.is_held ? 'Held' : dayText(row.next_purge_at, timeZone);
}

/** What a hold keeps, in time: "Oct-01-2026 to Oct-31-2026", "Everything". */
export function spanText(hold: Pick<Hold, 'from' | 'to'>, timeZone: string): string {
  const [from, to] = [dayText(hold.from, timeZone), dayText(hold.to, timeZone)];
  if (from && to) return from === to ? from : `${from} to ${to}`;
  if (from) return `From ${from} on`;
  return to ? `Until ${to}` : 'All time';
}

/** How a hold stands. */
export function holdStatus(hold: Hold, timeZone: string): { text: string; tone: 'accent' | 'neutral'; sub: string } {
  if (hold.lifted_at !== null) {
    const by = hold.lifted_by_name ? ` by ${hold.lifted_by_name}` : '';
    return { text: 'Lifted', tone: 'neutral', sub: `${dayText(hold.lifted_at, timeZone)}${by}` };
  }
  if (!hold.stands) return { text: 'Ended', tone: 'neutral', sub: dayText(hold.ends_at, timeZone) };
  return {
    text: 'In force',
    tone: 'accent',
    sub: hold.ends_at === null ? 'until lifted' : `until ${dayText(hold.ends_at, timeZone)}`,
  };
}

/** When the disk is full, in words. */
export function fullText(storage: Pick<Storage, 'days_until_full' | 'disk_bytes'>): string {
  const { days_until_full: days, disk_bytes } = storage;
  if (disk_bytes === 0) return 'Not known: the database is on another server';
  if (days === null) return 'Not within ten years';
  if (days < 1) return 'Today';
  if (days < 60) return `In about ${countOf(days, 'day')}`;
  const months = Math.round(days / MONTH_DAYS);
  return months < 36 ? `In about ${months} months` : `In about ${Math.round(days / 365)} years`;
}

/** The disk as lines of a card. */
export function diskLines(storage: Storage): readonly (readonly [string, string])[] {
  return [
    ['Database', bytesText(storage.bytes)],
    ['Grows by', `${bytesText(storage.bytes_per_day)} a day`],
    ...(storage.disk_bytes > 0
      ? ([['Free on the disk', `${bytesText(storage.disk_free_bytes)} of ${bytesText(storage.disk_bytes)}`]] as const)
      : []),
    ['Disk full', fullText(storage)],
    ['Export files', bytesText(storage.export_bytes)],
  ];
}

/** Below this the disk deserves a warning (the doctor warns then, too). */
export const FULL_SOON_DAYS = 90;

/** What a hold keeps data of. */
export const scopes = [
  { id: 'all', label: 'The whole organization' },
  { id: 'one', label: 'One asset' },
] as const;

/** The rules of a new hold; days are as a field of dates has them. */
export const holdSchema = z
  .object({
    reason: needed(limits.text.holdReason.value),
    scope: z.enum(['all', 'one']),
    thing_id: z.string(),
    from: z.string(),
    to: z.string(),
    ends_at: z.string(),
  })
  .check(
    z.refine(({ scope, thing_id }) => scope === 'all' || thing_id !== '', {
      path: ['thing_id'],
      error: texts.validation.required,
    }),
    z.refine(({ from, to }) => from === '' || to === '' || from <= to, {
      path: ['to'],
      error: 'The end of the span must not come before its start.',
    }),
  );

export const blank = { reason: '', scope: 'all', thing_id: '', from: '', to: '', ends_at: '' } as const;

/** The first and last instant of a day in a field of dates; undefined where none is said. */
function dayOf(text: string, timeZone: string, isEnd: boolean): string | undefined {
  const at: Instant = instantOfLocal(`${text}T00:00`, timeZone);
  if (at === 0) return undefined;
  if (!isEnd) return new Date(at).toISOString();
  const next = new Date(`${text}T00:00:00.000Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return new Date(instantOfLocal(`${next.toISOString().slice(0, 10)}T00:00`, timeZone) - 1).toISOString();
}

/** The body of a new hold. */
export function newHoldOf(
  form: z.infer<typeof holdSchema>,
  organizationId: string,
  timeZone: string,
): Schemas['LegalHoldCreate'] {
  const [from, to, ends] = [
    dayOf(form.from, timeZone, false),
    dayOf(form.to, timeZone, true),
    dayOf(form.ends_at, timeZone, true),
  ];
  return {
    reason: form.reason,
    organization_id: organizationId,
    ...(form.scope === 'one' && { thing_id: form.thing_id }),
    ...(from && { from }),
    ...(to && { to }),
    ...(ends && { ends_at: ends }),
  };
}

export const sayHold = (error: unknown): string => {
  const failure = asFailure(error);
  return failure.code === 'legal_hold_limit' ? failure.message : say('generic', error);
};
