/**
 * What the live store gives to the map: one flush of changed assets. Units:
 * degrees (WGS 84), metres per second, degrees clockwise from north,
 * milliseconds since the epoch **by the server's clock**.
 */

/** Status of a mark, by the names of catalog/enums.json ("status"). */
export type MarkStatus = 'LOCATION' | 'ACTIVE' | 'STANDBY' | 'STATIONARY' | 'PENDING' | 'OFFLINE' | 'OOS';

/** Asset types that have a glyph, by the names of catalog/enums.json ("thingTypes"). */
export type MarkType =
  | 'fire'
  | 'police'
  | 'ambulance'
  | 'emergency_response'
  | 'arrow_board'
  | 'maintenance'
  | 'tow'
  | 'waste'
  | 'other';

/** What the map draws of one asset. Objects are read only and replaced, never changed in place. */
export interface MapAsset {
  /**
   * Dense number of the asset while the giver holds it: 0, 1, 2, …; a number is
   * free again after `removed`. The map indexes its typed arrays by it.
   */
  readonly row: number;
  readonly id: string;
  readonly lat: number;
  readonly lng: number;
  /** null when unknown: the mark is then a disc without a point. */
  readonly course: number | null;
  /** 0 when unknown or still. */
  readonly speed: number;
  readonly status: MarkStatus;
  readonly type: MarkType;
  readonly inService: boolean;
  /** Effective time of the position. */
  readonly at: number;
  /** From this instant on the mark is drawn dimmed and without a point; 0 = never. */
  readonly staleAt: number;
  /** Full display name; the map shortens it (section 9) and appends " | OOS" itself. */
  readonly label: string;
}

/**
 * One flush of the live store. `removed` (rows) is applied before `upserted`, so
 * a row may change hands in one batch. An asset stands in a batch at most once.
 */
export interface AssetBatch {
  readonly upserted: readonly MapAsset[];
  readonly removed: readonly number[];
  /** Forget everything first: another organization, or a fresh list after a hole. */
  readonly reset?: boolean;
}
