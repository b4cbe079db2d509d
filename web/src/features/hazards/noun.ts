import { sectionNoun } from '~/section/noun';

/** Hazards: their words, addresses, and calls. */
export const HAZARDS = sectionNoun('hazard', 'hazards', 'Hazard');
