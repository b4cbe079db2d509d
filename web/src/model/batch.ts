import enums from '@catalog/enums.json';

/**
 * What the live store gives to the map: one flush of changed assets. Units:
 * degrees (WGS 84), meters per second, degrees clockwise from north,
 * milliseconds since the epoch **by the server's clock**.
 */

/**
 * Status of a mark, by the names of catalog/enums.json ("status"). An asset in test mode has a mark of its own, whatever
 * its status is: its lights are no real alert.
 */
export type MarkStatus = 'LOCATION' | 'ACTIVE' | 'STANDBY' | 'STATIONARY' | 'PENDING' | 'OFFLINE' | 'OOS' | 'TEST';

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

/** What the map draws of one asset. */
export interface MapAsset {
  /**
   * Dense number of the asset while the giver holds it: 0, 1, 2, …; a number is
   * free again after `removed`, and only then another asset's. The map indexes its typed arrays by it.
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
  /** Whether the filter displays it. */
  readonly shown: boolean;
  /** Full display name; the map shortens it (requirements 9.format) and appends " | OOS" itself. */
  readonly label: string;
}

export const MARK_STATUSES: readonly MarkStatus[] = [...enums.status.map(s => s.name as MarkStatus), 'TEST'];
export const MARK_TYPES = enums.thingTypes.map(t => t.name as MarkType);
const OOS = MARK_STATUSES.indexOf('OOS');
const TEST = MARK_STATUSES.indexOf('TEST');
const OTHER = MARK_TYPES.indexOf('other');

/** Code of the mark of an asset: its status, unless it is in test mode. */
export const markCode = (asset: { status: number; isTestModeOn: boolean }): number =>
  asset.isTestModeOn ? TEST : asset.status;

/** Code of a type by its name; that of 'other' for a name that is not one. */
export function typeCode(name: string): number {
  const code = MARK_TYPES.indexOf(name as MarkType);
  return code < 0 ? OTHER : code;
}

/**
 * What an asset looks like in one byte: status code (place in MARK_STATUSES, 3 bits),
 * type code (place in MARK_TYPES, 4 bits), out of service (1 bit).
 */
export const faceOf = (status: number, type: number, slashed: boolean): number =>
  (status << 5) | (type << 1) | (slashed ? 1 : 0);

/**
 * Changed assets as columns: entry i of each array speaks of the same asset, as MapAsset says it. To read 100 000 objects
 * costs more than to draw them; columns take a fraction of it, to write as well. Written with `add`, then read only.
 */
export class AssetColumns {
  length = 0;
  /** All rows are below this. */
  end = 0;
  readonly row: Int32Array<ArrayBuffer>;
  readonly id: string[] = [];
  readonly label: string[] = [];
  readonly lat: Float64Array<ArrayBuffer>;
  readonly lng: Float64Array<ArrayBuffer>;
  /** NaN when unknown, and of those that stand still. */
  readonly course: Float32Array<ArrayBuffer>;
  /** Status, type and service in one byte (faceOf). */
  readonly face: Uint8Array<ArrayBuffer>;
  /** 1 displayed, 0 filtered out. */
  readonly shown: Uint8Array<ArrayBuffer>;
  readonly at: Float64Array<ArrayBuffer>;
  readonly staleAt: Float64Array<ArrayBuffer>;

  /** Room for so many assets. */
  constructor(capacity: number) {
    this.row = new Int32Array(capacity);
    this.lat = new Float64Array(capacity);
    this.lng = new Float64Array(capacity);
    this.course = new Float32Array(capacity);
    this.face = new Uint8Array(capacity);
    this.shown = new Uint8Array(capacity);
    this.at = new Float64Array(capacity);
    this.staleAt = new Float64Array(capacity);
  }

  static of(assets: readonly MapAsset[]): AssetColumns {
    const columns = new AssetColumns(assets.length);
    for (const asset of assets) {
      const status = MARK_STATUSES.indexOf(asset.status);
      columns.add(asset, asset.row, status, typeCode(asset.type), asset.label, asset.shown);
    }
    return columns;
  }

  /** Appends an asset; status and type by their codes. */
  add(facts: AssetFacts, row: number, status: number, type: number, label: string, shown: boolean): void {
    const i = this.length++;
    this.row[i] = row;
    if (row >= this.end) this.end = row + 1;
    this.id.push(facts.id);
    this.label.push(label);
    this.lat[i] = facts.lat;
    this.lng[i] = facts.lng;
    this.course[i] = facts.speed > 0 && facts.course !== null ? facts.course : Number.NaN;
    this.face[i] = faceOf(status, type, !facts.inService || status === OOS);
    this.shown[i] = shown ? 1 : 0;
    this.at[i] = facts.at;
    this.staleAt[i] = facts.staleAt;
  }

  /** Entry of an asset, -1 when it is not among the changed ones. */
  indexOf(id: string): number {
    return this.id.indexOf(id);
  }
}

/** What `add` reads of an asset as it is. */
type AssetFacts = Pick<MapAsset, 'id' | 'lat' | 'lng' | 'course' | 'speed' | 'inService' | 'at' | 'staleAt'>;

/**
 * One flush of the live store. `removed` (rows) is applied before `upserted`, so
 * a row may change hands in one batch. An asset stands in a batch at most once.
 */
export interface AssetBatch {
  readonly upserted: AssetColumns;
  readonly removed: readonly number[];
  /** Forget everything first: another organization, or a fresh list after a hole. */
  readonly reset?: boolean;
}
