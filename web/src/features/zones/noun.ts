import { sectionNoun } from '~/section/noun';

/** Alerting zones: their words, addresses, and calls. */
export const ZONES = sectionNoun('zone', 'zones', 'Zone');
