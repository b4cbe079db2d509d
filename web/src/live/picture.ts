import type { Thing, ThingLive } from '~/model/thing';

/** How many early reports are kept for assets whose list row has not arrived yet, and for how many such assets. */
const ORPHAN_REPORTS = 16;
const ORPHANS = 20_000;

/** What one flush changed: the state of each touched asset before it, undefined for one that was not there. */
export interface Changes {
  before: Map<string, Thing | undefined>;
}

export function noChanges(): Changes {
  return { before: new Map() };
}

/** The live assets of one organization: plain maps, changed only by `reduce.ts`. Other nouns stand in collections. */
export class Picture {
  readonly things = new Map<string, Thing>();
  /** Assets that the stream took away, with the server's time of it: an older list row must not bring them back. */
  readonly gone = new Map<string, number>();
  /** Reports of assets that are not known yet, in order of arrival. */
  readonly orphans = new Map<string, ThingLive[]>();

  /** Puts `thing` in the place of `before`, the state that stands here now. */
  put(thing: Thing, before: Thing | undefined, changes: Changes): void {
    if (before === thing) return;
    if (!changes.before.has(thing.id)) changes.before.set(thing.id, before);
    this.things.set(thing.id, thing);
  }

  remove(id: string, at: number, changes: Changes): void {
    this.orphans.delete(id);
    this.gone.set(id, at);
    const before = this.things.get(id);
    if (!before) return;
    if (!changes.before.has(id)) changes.before.set(id, before);
    this.things.delete(id);
  }

  keepOrphan(id: string, live: ThingLive): void {
    const waiting = this.orphans.get(id);
    if (waiting) {
      if (waiting.length >= ORPHAN_REPORTS) waiting.shift();
      waiting.push(live);
    } else if (this.orphans.size < ORPHANS) this.orphans.set(id, [live]);
  }
}
