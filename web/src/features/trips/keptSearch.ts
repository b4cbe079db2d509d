import { keptSearch } from '~/section/keptSearch';

/** What the addresses of the section say: what is asked, and the instant of it that is looked at. */
export const kept = keptSearch(['things', 'from', 'to', 'at']);
