import { useCallback, useSyncExternalStore } from 'react';
import { liveStore } from '~/live';
import { type Finding, isOpenFinding, ruleWords } from '~/model/finding';

const NONE: readonly Finding[] = [];

let from: readonly Finding[] | undefined;
let byThing = new Map<string, readonly Finding[]>();

/** The open findings about an asset, newest first. Found once for each change: a list asks for every row that it draws. */
function findingsOf(thingId: string): readonly Finding[] {
  const all = liveStore.of('finding').list();
  if (all !== from) {
    from = all;
    const open = new Map<string, Finding[]>();
    for (const finding of all) {
      if (!isOpenFinding(finding)) continue;
      const known = open.get(finding.thingId);
      if (known) known.push(finding);
      else open.set(finding.thingId, [finding]);
    }
    // What has not changed stays the same array: nothing is drawn anew for it.
    byThing = new Map([...open].map(([id, now]) => [id, kept(byThing.get(id), now)]));
  }
  return byThing.get(thingId) ?? NONE;
}

const kept = (before: readonly Finding[] = NONE, now: readonly Finding[]) =>
  before.length === now.length && before.every((finding, i) => finding === now[i]) ? before : now;

/** The open findings about an asset; the component renders only when these change. */
export function useFindingsOf(thingId: string): readonly Finding[] {
  const read = useCallback(() => findingsOf(thingId), [thingId]);
  return useSyncExternalStore(liveStore.of('finding').subscribe, read, read);
}

/** What a row says of an asset's findings, those first of which people are told; undefined where there is nothing. */
export function findingTag(findings: readonly Finding[]): { text: string; isTrial: boolean } | undefined {
  const told = findings.filter(({ isTrial }) => !isTrial);
  const shown = told.length > 0 ? told : findings;
  const [first] = shown;
  if (!first) return undefined;
  const more = shown.length > 1 ? ` +${shown.length - 1}` : '';
  return { text: `${ruleWords(first.rule).tag}${more}`, isTrial: told.length === 0 };
}
