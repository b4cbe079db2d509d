import type { AnswerOf, Schemas } from '~/api';
import type { Words } from '~/model/organization';

type Change = Schemas['Change'];
type Noun = Change['noun'];
type What = Change['what'];

/** A noun as the panel speaks of it: one line for each. */
interface Spoken {
  one: (words: Words) => string;
  many: (words: Words) => string;
  /** the section that has its screen */
  section: string;
  /** what is said of this noun otherwise */
  words?: Partial<Record<What, string>>;
}

/** In the order of the panel. */
const NOUNS: Readonly<Record<Noun, Spoken>> = {
  location: { one: words => words.event, many: words => words.events, section: 'events' },
  closure: { one: () => 'Closure', many: () => 'Closures', section: 'closures' },
  hazard: { one: () => 'Hazard', many: () => 'Hazards', section: 'hazards', words: { opened: 'reported' } },
  zone: { one: () => 'Zone', many: () => 'Zones', section: 'zones', words: { ended: 'on standby' } },
  thing: { one: () => 'Asset', many: () => 'Assets', section: 'things' },
  area: { one: () => 'Area', many: () => 'Areas', section: 'areas' },
};

/** In the order of the counts. */
const WORDS: Readonly<Record<What, string>> = {
  opened: 'opened',
  activated: 'activated',
  ended: 'ended',
  expired: 'expired',
  cleared: 'cleared',
  withdrawn: 'withdrawn',
  silent: 'not reporting',
  heard: 'reporting again',
  created: 'added',
  changed: 'changed',
  published: 'published',
  confirmed: 'confirmed',
  deleted: 'deleted',
};

export interface AwayRow {
  key: string;
  name: string;
  /** "ended", "changed by Dana Reyes" */
  what: string;
  at: string;
  /** its screen; undefined when it is gone */
  path: string | undefined;
}

export interface AwayGroup {
  noun: Noun;
  label: string;
  /** "2 opened, 1 ended" */
  counts: string;
  rows: readonly AwayRow[];
  /** how many more there are than rows */
  more: number;
}

/** So many rows of a noun stand in the panel: it is a glance, not a report. */
const ROWS = 20;

/** What has changed, in groups of nouns; none when nothing has. */
export function groupsOf({ data, counts }: AnswerOf<'GET /organization/changes'>, words: Words): AwayGroup[] {
  return (Object.entries(NOUNS) as [Noun, Spoken][]).flatMap(([noun, { one, many, section, words: own }]) => {
    const said = (what: What) => own?.[what] ?? WORDS[what];
    const tally = Object.entries(counts[noun] ?? {}) as [What, number][];
    if (tally.length === 0) return [];
    const total = tally.reduce((sum, [, n]) => sum + n, 0);
    const rows = data.filter(change => change.noun === noun).slice(0, ROWS);
    return {
      noun,
      label: many(words),
      counts: whats
        .flatMap(what => tally.filter(([name]) => name === what))
        .map(([what, n]) => `${n} ${said(what)}`)
        .join(', '),
      rows: rows.map(change => ({
        key: `${change.id} ${change.what}`,
        name: change.name || one(words),
        what: said(change.what) + (change.by ? ` by ${change.by === 'You' ? 'you' : change.by}` : ''),
        at: change.at,
        path: change.what === 'deleted' ? undefined : `/dashboard/${section}/${encodeURIComponent(change.id)}`,
      })),
      more: total - rows.length,
    };
  });
}

const whats = Object.keys(WORDS) as What[];
