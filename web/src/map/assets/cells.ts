import { MARK_STATUSES, MARK_TYPES } from '~/model/batch';
import { BOARD_BEHIND, LOOKS, type MarkLook, SHAPES, type ShapeName } from '../marks';
import type { MapTokens } from '../tokens';
import type { MarkStatus } from '../types';

/** Cells of the atlas. A mark is two of them: a shape (the drop turns) and, upright over it, a glyph. */
export const SHAPE_NAMES = Object.keys(SHAPES) as readonly ShapeName[];
export const SELECT_CELL = SHAPE_NAMES.length;
const OVERLAYS_FROM = SELECT_CELL + 1;

/** Glyphs differ by ink and size only; statuses that share a look share their cells. */
export interface OverlayLook {
  readonly ink: keyof MapTokens;
  readonly line: keyof MapTokens;
  readonly glyphPx: number;
}

const isAlike = (a: OverlayLook, b: OverlayLook): boolean => a.ink === b.ink && a.glyphPx === b.glyphPx;
const ALL_LOOKS: readonly MarkLook[] = [...MARK_STATUSES.map(status => LOOKS[status]), BOARD_BEHIND];

export const OVERLAY_LOOKS: readonly OverlayLook[] = ALL_LOOKS.filter(
  (look, i) => ALL_LOOKS.findIndex(other => isAlike(other, look)) === i,
);

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

export const STATUS_CODE = Object.fromEntries(MARK_STATUSES.map((name, i) => [name, i])) as Readonly<
  Record<MarkStatus, number>
>;
const FACES = 256;
const lookOf = (face: number): MarkLook => LOOKS[MARK_STATUSES[face >> 5] ?? 'OFFLINE'];
const typeOf = (face: number): number => (face >> 1) & 15;

const cellsOf = (look: MarkLook, face: number): number => {
  const overlay = OVERLAY_LOOKS.findIndex(other => isAlike(other, look));
  return SHAPE_CELL[look.shape] | (overlayCell(overlay, typeOf(face), (face & 1) === 1) << 8);
};

/** By face (model/batch.ts): the cell of the shape in the lowest byte, that of the glyph over it in the next. */
export const FACE_CELLS = Uint16Array.from({ length: FACES }, (_, face) => cellsOf(lookOf(face), face));

/** The same where the map is about something else than assets. */
export const BEHIND_CELLS = FACE_CELLS.map((cells, face) => {
  const isLitBoard = lookOf(face) === LOOKS.ACTIVE && MARK_TYPES[typeOf(face)] === 'arrow_board';
  return isLitBoard ? cellsOf(BOARD_BEHIND, face) : cells;
});
