import { matchesThing } from './search';
import { Status } from './status';
import type { Thing } from './thing';

/** Whose assets: owned by the subscribed organization, or managed for others (requirements 3.enum). */
export const RELATIONS = ['owned', 'managed'] as const;
export type Relation = (typeof RELATIONS)[number];

/** What the Live list and the map show. */
export interface ThingFilter {
  statuses: ReadonlySet<Status>;
  /** null: every type */
  types: ReadonlySet<string> | null;
  relations: ReadonlySet<Relation>;
  /** out-of-service assets, whatever their status */
  outOfService: boolean;
  /** as `searchOf` makes it */
  search: string;
}

const BEFORE_OFFLINE = [Status.LOCATION, Status.ACTIVE, Status.STANDBY, Status.STATIONARY, Status.PENDING] as const;

/** Location, active, standby, stationary, pending, plus offline if the stored preference is true. */
export function defaultStatuses(showOffline: boolean): ReadonlySet<Status> {
  return new Set<Status>(showOffline ? [...BEFORE_OFFLINE, Status.OFFLINE] : BEFORE_OFFLINE);
}

/** The filter of a fresh screen. */
export function defaultFilter(showOffline: boolean): ThingFilter {
  return {
    statuses: defaultStatuses(showOffline),
    types: null,
    relations: new Set(RELATIONS),
    outOfService: true,
    search: '',
  };
}

/** The filter that hides nothing (Show All); the search stays. */
export function showAllFilter(search: string): ThingFilter {
  return { ...defaultFilter(true), search };
}

/** After sign-out-like events everything goes back except the statuses (requirements 4.filter). */
export function resetFilter(filter: ThingFilter): ThingFilter {
  return { ...defaultFilter(true), statuses: filter.statuses };
}

/** True when only the search, if anything, hides assets. */
export function isShowAll(f: ThingFilter): boolean {
  return (
    f.statuses.size >= BEFORE_OFFLINE.length + 1 &&
    f.types === null &&
    f.relations.size === RELATIONS.length &&
    f.outOfService
  );
}

const ALERTING: ReadonlySet<Status> = new Set([Status.LOCATION, Status.ACTIVE]);

/** True when of all statuses only those of alerting assets are shown. */
export const isAlertingOnly = (f: ThingFilter): boolean =>
  f.statuses.size === ALERTING.size && includesAll(f.statuses, ALERTING);

/** The filter with the statuses of alerting assets alone. */
export const alertingOnly = (f: ThingFilter): ThingFilter => ({ ...f, statuses: ALERTING });

/** True when filter settings hide assets, beside offline ones: those a list of its own mentions. */
export function isHidingBySettings(f: ThingFilter): boolean {
  return !isShowAll({ ...f, statuses: new Set([...f.statuses, Status.OFFLINE]) });
}

/** True when a search or filter settings hide assets that somebody may be looking for. */
export const isHiding = (f: ThingFilter): boolean => f.search !== '' || isHidingBySettings(f);

/** The filter without what `isHiding` tells of; offline assets stay as they are. */
export function shownAgain(f: ThingFilter): ThingFilter {
  return { ...defaultFilter(f.statuses.has(Status.OFFLINE)), search: '' };
}

/** How many filter settings hide something: the number on the Filters button. `types` are those that assets have. */
export function hidingCount(f: ThingFilter, types: Iterable<string>): number {
  const statuses = BEFORE_OFFLINE.length + 1 - f.statuses.size;
  const hidden = [...types].filter(id => f.types?.has(id) === false).length;
  return Math.max(0, statuses) + hidden + (RELATIONS.length - f.relations.size) + (f.outOfService ? 0 : 1);
}

/** Owned when the asset belongs to the subscribed organization. */
export function relationOf(thing: Pick<Thing, 'organization'>, organizationId: string): Relation {
  return thing.organization.id === organizationId ? 'owned' : 'managed';
}

/** Whether the filter shows the asset. */
export function passes(thing: Thing, f: ThingFilter, organizationId: string): boolean {
  if (!thing.inService && !f.outOfService) return false;
  if (!f.statuses.has(thing.status)) return false;
  if (f.types !== null && !f.types.has(thing.thingTypeId)) return false;
  if (f.relations.size < RELATIONS.length && !f.relations.has(relationOf(thing, organizationId))) return false;
  return matchesThing(thing, f.search);
}

function includesAll<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  for (const x of b) if (!a.has(x)) return false;
  return true;
}

function typesIncludeAll(a: ReadonlySet<string> | null, b: ReadonlySet<string> | null): boolean {
  return a === null || (b !== null && includesAll(a, b));
}

function showsAtLeast(a: ThingFilter, b: ThingFilter): boolean {
  return (
    includesAll(a.statuses, b.statuses) &&
    typesIncludeAll(a.types, b.types) &&
    includesAll(a.relations, b.relations) &&
    (a.outOfService || !b.outOfService) &&
    b.search.includes(a.search)
  );
}

/** Widening looks at hidden assets only, narrowing at displayed ones only, anything else at both. */
export type FilterChange = 'same' | 'wider' | 'narrower' | 'other';

/** How one filter relates to the one before. */
export function changeBetween(before: ThingFilter, after: ThingFilter): FilterChange {
  const wider = showsAtLeast(after, before);
  const narrower = showsAtLeast(before, after);
  if (wider && narrower) return 'same';
  return wider ? 'wider' : narrower ? 'narrower' : 'other';
}
