import type { Thing } from './thing';

/** A search text as it is compared: trimmed, lower case. */
export function searchOf(text: string): string {
  return text.trim().toLowerCase();
}

/** Case-insensitive substring of name, nickname, systemId, vinNumber, plateNumber or registryNumber; '' finds all. */
export function matchesThing(thing: Pick<Thing, 'searchKey'>, search: string): boolean {
  return search === '' || thing.searchKey.includes(search);
}
