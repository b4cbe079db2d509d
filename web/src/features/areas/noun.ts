import { sectionNoun } from '~/section/noun';

/** Areas: their words, addresses, and calls. */
export const AREAS = sectionNoun('area', 'areas', 'Area');
