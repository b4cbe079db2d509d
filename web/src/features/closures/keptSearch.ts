import { keptSearch } from '~/section/keptSearch';

/** What the addresses of the section say of its filters. */
export const kept = keptSearch(['q', 'type', 'status', 'oos', 'time']);
