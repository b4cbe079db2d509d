import type { Thing } from './thing';

/** A search text as it is compared: trimmed, lower case. */
export function searchOf(text: string): string {
  return text.trim().toLowerCase();
}

/** Case-insensitive substring of a name or number that the asset is known by (`namesOf`); '' finds all. */
export function matchesThing(thing: Pick<Thing, 'searchKey'>, search: string): boolean {
  return search === '' || thing.searchKey.includes(search);
}
