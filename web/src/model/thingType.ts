import enums from '@catalog/enums.json';
import type { Schemas } from '~/api';

export interface ThingType {
  id: string;
  name: string;
  displayName: string;
  isEmergency: boolean;
}

export interface ThingSubtype {
  id: string;
  displayName: string;
  thingTypeId: string;
}

const otherLast = (name: string) => (name.toLowerCase() === 'other' ? 1 : 0);

function byName<T extends { displayName: string }>(a: T, b: T): number {
  return otherLast(a.displayName) - otherLast(b.displayName) || a.displayName.localeCompare(b.displayName, 'en');
}

/** Types of the wire, sorted for a choice: by name, 'other' last. The display name falls back to the name. */
export function thingTypesOfWire(rows: readonly Schemas['ThingType'][]): ThingType[] {
  return rows
    .map(r => ({ id: r.id, name: r.name, displayName: r.display_name || r.name, isEmergency: r.is_emergency }))
    .sort(byName);
}

/** Subtypes of the wire, sorted for a choice: by name, 'other' last. */
export function thingSubtypesOfWire(rows: readonly Schemas['ThingSubtype'][]): ThingSubtype[] {
  return rows.map(r => ({ id: r.id, displayName: r.display_name, thingTypeId: r.thing_type_id })).sort(byName);
}

/**
 * The subtypes on offer: those of the chosen type, then those of types with the same emergency flag (requirements
 * 5.asset). The server takes the same ones.
 */
export function subtypesFor(
  typeId: string,
  subtypes: readonly ThingSubtype[],
  types: readonly ThingType[],
): ThingSubtype[] {
  const flags = new Map(types.map(t => [t.id, t.isEmergency]));
  const flag = flags.get(typeId);
  const own = subtypes.filter(s => s.thingTypeId === typeId);
  const akin = subtypes.filter(
    s => s.thingTypeId !== typeId && flag !== undefined && flags.get(s.thingTypeId) === flag,
  );
  return [...own, ...akin];
}

/** The words for a subtype on offer: one of another type says whose it is. */
export function subtypeText(subtype: ThingSubtype, typeId: string, types: readonly ThingType[]): string {
  const other = subtype.thingTypeId === typeId ? undefined : types.find(t => t.id === subtype.thingTypeId);
  return other ? `${subtype.displayName} (${other.displayName})` : subtype.displayName;
}

const nameById = new Map(enums.thingTypes.map(t => [t.id, t.name]));

/** The short name of a type of the catalog ('fire', 'tow', …); 'other' for ids that it does not know. */
export function thingTypeName(typeId: string): string {
  return nameById.get(typeId) ?? 'other';
}

const responders = new Set(enums.thingTypes.filter(t => t.isResponder).map(t => t.id));

/** Whether assets of a type are responders by the catalog; false for ids that it does not know. */
export const isResponder = (typeId: string): boolean => responders.has(typeId);

const displayById = new Map<string, string>([
  ...enums.thingTypes.map(t => [t.id, t.displayName] as [string, string]),
  ...enums.thingSubtypes.map(t => [t.id, t.displayName] as [string, string]),
]);

/** The words for a type or subtype of the catalog; '' for ids that it does not know. */
export function catalogName(id: string): string {
  return displayById.get(id) ?? '';
}
