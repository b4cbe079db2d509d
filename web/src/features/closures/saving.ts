import type { Schemas } from '~/api';
import { liveStore } from '~/live';
import { toastUndo } from '~/section/undo';
import { toast } from '~/ui';
import { directionOf, fetchDirections, isDetour, metersAlong, oppositeOf } from './directions';
import { type ClosureDraft, ID_MAX, routeIn, routeText } from './form';
import { CLOSURES } from './noun';

type Write = Schemas['ClosureWrite'];

/** The draft with its line along the road, where someone was faster than the map; straight where no road answers. */
export async function withRoad<D extends Pick<ClosureDraft, 'user_route' | 'calculated_route'>>(draft: D): Promise<D> {
  const clicked = routeIn(draft.user_route);
  if (draft.calculated_route !== '' || clicked.length < 2) return draft;
  const way = await fetchDirections(clicked).catch(() => null);
  return { ...draft, calculated_route: routeText(way?.route ?? clicked) };
}

/** Says that a closure was saved, and whether the feeds have to wait for it; the version that an edit made can be undone. */
export function toastSaved(id: string, words: string, version?: number): void {
  const problems = liveStore.of('closure').get(id)?.publish_problems ?? [];
  const text = problems.length === 0 ? words : `${words}. Not published yet: ${problems[0]?.message}`;
  if (version === undefined) toast(text);
  else toastUndo(text, 'closure', { id, version });
}

/**
 * Adds the closure of the other direction to one that was added: the line back along the road, an id of its own.
 * Resolves with why it was not added; undefined when it was.
 */
export async function addOther(made: Write, uuid: string): Promise<string | undefined> {
  const clicked = [...(made.user_route ?? [])].reverse();
  try {
    const way = await fetchDirections(clicked);
    if (isDetour(way.distance_m, metersAlong(made.calculated_route ?? clicked))) {
      return "The other direction wasn't added. No route leads back along this road.";
    }
    const direction = oppositeOf(made.direction ?? '') || directionOf(way.route);
    const suffix = `-${direction}`;
    await CLOSURES.add({
      ...made,
      uuid,
      direction,
      user_route: clicked,
      calculated_route: way.route,
      geocoded_route: [way.route[0], way.route.at(-1)].filter(end => end !== undefined),
      street_start: made.street_end ?? '',
      street_end: made.street_start ?? '',
      ...(made.external_id && { external_id: made.external_id.slice(0, ID_MAX - suffix.length) + suffix }),
    });
    return undefined;
  } catch {
    return "The other direction wasn't added. Please add it yourself.";
  }
}
