import { keptSearch } from '~/section/keptSearch';

/** What the addresses of the Live section say of its filters. */
export const kept = keptSearch(['q', 'status', 'type', 'relation', 'hide']);
