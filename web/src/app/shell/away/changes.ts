import type { AnswerOf, Schemas } from '~/api';
import type { Words } from '~/model/organization';

type Change = Schemas['Change'];
type Noun = Change['noun'];
type What = Change['what'];

/** A noun as the panel speaks of it: one line for each. */
interface Spoken {
  noun: Noun;
  one: (words: Words) => string;
  many: (words: Words) => string;
  /** the section that has its screen */
  section: string;
}

const NOUNS: readonly Spoken[] = [
  { noun: 'location', one: words => words.event, many: words => words.events, section: 'events' },
  { noun: 'thing', one: () => 'Asset', many: () => 'Assets', section: 'things' },
  { noun: 'area', one: () => 'Area', many: () => 'Areas', section: 'areas' },
];

const WORDS: Readonly<Record<What, string>> = {
  opened: 'opened',
  ended: 'ended',
  silent: 'not reporting',
  heard: 'reporting again',
  created: 'added',
  changed: 'changed',
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
  return NOUNS.flatMap(({ noun, one, many, section }) => {
    const tally = Object.entries(counts[noun] ?? {}) as [What, number][];
    if (tally.length === 0) return [];
    const total = tally.reduce((sum, [, n]) => sum + n, 0);
    const rows = data.filter(change => change.noun === noun).slice(0, ROWS);
    return {
      noun,
      label: many(words),
      counts: whats
        .flatMap(what => tally.filter(([name]) => name === what))
        .map(([what, n]) => `${n} ${WORDS[what]}`)
        .join(', '),
      rows: rows.map(change => ({
        key: `${change.id} ${change.what}`,
        name: change.name || one(words),
        what: WORDS[change.what] + (change.by ? ` by ${change.by === 'You' ? 'you' : change.by}` : ''),
        at: change.at,
        path: change.what === 'deleted' ? undefined : `/dashboard/${section}/${encodeURIComponent(change.id)}`,
      })),
      more: total - rows.length,
    };
  });
}

const whats = Object.keys(WORDS) as What[];
