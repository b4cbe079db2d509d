import { sectionNoun } from '~/section/noun';

/** Closures: their words, addresses, and calls. */
export const CLOSURES = sectionNoun('closure', 'closures', 'Closure');
