import limits from '@catalog/limits.json';

/** The catalog's numbers that laws on this side need. Units are in the names (requirements 9). */
export const OFFLINE_AFTER_MS = limits.status.offlineAfterMs.value;
export const ACTIVE_WINDOW_MS = limits.status.activeWindowMs.value;
export const STANDBY_WINDOW_MS = limits.status.standbyWindowMs.value;
export const STALE_AFTER_MS = limits.status.staleAfterMs.value;
export const ACCURACY_M = limits.ingest.accuracyM.value;
export const ACCURACY_AT_STATION_M = limits.ingest.accuracyAtStationM.value;
export const REFUSALS_MS = limits.ingest.refusalsMs.value;
export const TRUNCATE_AT = limits.text.truncateAt.value;
export const SHORTEN_FROM = limits.text.shortenFrom.value;
export const SHORTEN_KEEP = limits.text.shortenKeep.value;
