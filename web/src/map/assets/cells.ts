import { LOOKS, MARK_TYPES, SHAPES, type ShapeName } from '../marks';
import type { MapTokens } from '../tokens';
import type { MarkStatus, MarkType } from '../types';

/** Cells of the atlas. A mark is two of them: a shape (the drop turns) and, upright over it, a glyph. */
export const SHAPE_NAMES = Object.keys(SHAPES) as readonly ShapeName[];
export const SELECT_CELL = SHAPE_NAMES.length;
const OVERLAYS_FROM = SELECT_CELL + 1;

export const STATUSES: readonly MarkStatus[] = [
  'LOCATION',
  'ACTIVE',
  'STANDBY',
  'STATIONARY',
  'PENDING',
  'OFFLINE',
  'OOS',
];

/** Glyphs differ by ink and size only; statuses that share a look share their cells. */
export interface OverlayLook {
  readonly ink: keyof MapTokens;
  readonly line: keyof MapTokens;
  readonly glyphPx: number;
}

const LOOK_KEYS = [...new Set(STATUSES.map(status => `${LOOKS[status].ink}/${LOOKS[status].glyphPx}`))];

export const OVERLAY_LOOKS: readonly OverlayLook[] = LOOK_KEYS.map(key => {
  const status = STATUSES.find(s => `${LOOKS[s].ink}/${LOOKS[s].glyphPx}` === key) ?? 'OFFLINE';
  const { ink, line, glyphPx } = LOOKS[status];
  return { ink, line, glyphPx };
});

export const CELL_COUNT = OVERLAYS_FROM + OVERLAY_LOOKS.length * MARK_TYPES.length * 2;

/** Cell of a glyph; slashed when out of service. */
export function overlayCell(look: number, type: number, slashed: boolean): number {
  return OVERLAYS_FROM + (look * MARK_TYPES.length + type) * 2 + (slashed ? 1 : 0);
}

export const SHAPE_CELL = Object.fromEntries(SHAPE_NAMES.map((name, i) => [name, i])) as Readonly<
  Record<ShapeName, number>
>;
export const DROP_CELL = SHAPE_CELL.drop;
export const DISC_CELL = SHAPE_CELL.disc;

export const STATUS_CODE = Object.fromEntries(STATUSES.map((name, i) => [name, i])) as Readonly<
  Record<MarkStatus, number>
>;
/**
 * What an asset looks like in one byte: status code (3 bits), type code (4 bits),
 * out of service (1 bit). Cells are looked up by it when the asset is drawn.
 */
export const faceOf = (status: number, type: number, slashed: boolean): number =>
  (status << 5) | (type << 1) | (slashed ? 1 : 0);

const FACES = 256;
const TYPES = MARK_TYPES.length;
const OTHER = MARK_TYPES.indexOf('other');
const lookOf = (face: number): (typeof LOOKS)[MarkStatus] => LOOKS[STATUSES[face >> 5] ?? 'OFFLINE'];

/** By face: the cell of the shape in the lowest byte, that of the glyph over it in the next. */
export const FACE_CELLS = Uint16Array.from({ length: FACES }, (_, face) => {
  const { ink, glyphPx, shape } = lookOf(face);
  const overlay = overlayCell(LOOK_KEYS.indexOf(`${ink}/${glyphPx}`), (face >> 1) & 15, (face & 1) === 1);
  return SHAPE_CELL[shape] | (overlay << 8);
});

/** The same without a hash: asked for each asset of each batch. */
export function statusCode(status: MarkStatus): number {
  switch (status) {
    case 'LOCATION':
      return STATUS_CODE.LOCATION;
    case 'ACTIVE':
      return STATUS_CODE.ACTIVE;
    case 'STANDBY':
      return STATUS_CODE.STANDBY;
    case 'STATIONARY':
      return STATUS_CODE.STATIONARY;
    case 'PENDING':
      return STATUS_CODE.PENDING;
    case 'OOS':
      return STATUS_CODE.OOS;
    default:
      return STATUS_CODE.OFFLINE;
  }
}

/** Code of a type: its place in MARK_TYPES. Comparing with each is faster than any table: all are constants. */
export function typeCode(type: MarkType): number {
  for (let code = 0; code < TYPES; code++) if (MARK_TYPES[code] === type) return code;
  return OTHER;
}
