import { MARK_TYPES } from '~/model/batch';
import { GLYPH_STROKE, GLYPH_UNITS, GLYPHS, MARK_UNITS, SHAPES, SLASH } from '../marks';
import type { MapTokens } from '../tokens';
import { CELL_COUNT, OVERLAY_LOOKS, overlayCell, SELECT_CELL, SHAPE_NAMES } from './cells';

/** A cell shows the 32 units of a mark and 4 more on each side, so that a turned drop never touches its neighbor. */
export const CELL_UNITS = 40;
export const ATLAS_COLUMNS = 12;
export const ATLAS_ROWS = Math.ceil(CELL_COUNT / ATLAS_COLUMNS);

/** Side of a cell in device pixels for marks of `markPx` CSS px. */
export const cellPixels = (markPx: number, pixelRatio: number): number =>
  Math.ceil((markPx * pixelRatio * CELL_UNITS) / MARK_UNITS);

type Context2D = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

function drawShape(context: Context2D, name: (typeof SHAPE_NAMES)[number], tokens: MapTokens): void {
  for (const part of SHAPES[name]) {
    const path = new Path2D(part.d);
    context.setLineDash(part.dash ? [...part.dash] : []);
    context.lineCap = part.dash ? 'butt' : 'round';
    const fill = (): void => {
      if (!part.fill) return;
      context.fillStyle = tokens[part.fill];
      context.fill(path);
    };
    if (!part.edge) fill();
    if (part.stroke) {
      context.strokeStyle = tokens[part.stroke];
      context.lineWidth = part.width ?? 1;
      context.stroke(path);
    }
    if (part.edge) fill();
  }
  context.setLineDash([]);
}

function drawOverlay(context: Context2D, look: number, type: number, slashed: boolean, tokens: MapTokens): void {
  const { ink, line, glyphPx } = OVERLAY_LOOKS[look] as (typeof OVERLAY_LOOKS)[number];
  context.save();
  context.translate(16 - glyphPx / 2, 16 - glyphPx / 2);
  context.scale(glyphPx / GLYPH_UNITS, glyphPx / GLYPH_UNITS);
  context.strokeStyle = tokens[ink];
  context.lineWidth = GLYPH_STROKE;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.stroke(new Path2D(GLYPHS[MARK_TYPES[type] ?? 'other']));
  context.restore();
  if (!slashed) return;
  const slash = new Path2D(SLASH.d);
  context.lineCap = 'butt';
  context.strokeStyle = tokens.halo;
  context.lineWidth = SLASH.haloWidth;
  context.stroke(slash);
  context.lineCap = 'round';
  context.strokeStyle = tokens[line];
  context.lineWidth = SLASH.width;
  context.stroke(slash);
}

function drawSelection(context: Context2D, tokens: MapTokens): void {
  context.strokeStyle = tokens.accent;
  context.lineWidth = 1.6;
  context.beginPath();
  context.arc(16, 16, 15.2, 0, Math.PI * 2);
  context.stroke();
}

/** Draws all cells, exactly as large as they are shown: no scaled icon is ever blurred. */
export function drawAtlas(tokens: MapTokens, markPx: number, pixelRatio: number): OffscreenCanvas {
  const cell = cellPixels(markPx, pixelRatio);
  const canvas = new OffscreenCanvas(ATLAS_COLUMNS * cell, ATLAS_ROWS * cell);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no 2D canvas for the map marks');
  const scale = cell / CELL_UNITS;
  const inCell = (index: number, draw: () => void): void => {
    const left = (index % ATLAS_COLUMNS) * cell;
    const top = Math.floor(index / ATLAS_COLUMNS) * cell;
    context.setTransform(scale, 0, 0, scale, left + 4 * scale, top + 4 * scale);
    draw();
  };
  SHAPE_NAMES.forEach((name, index) => {
    inCell(index, () => drawShape(context, name, tokens));
  });
  inCell(SELECT_CELL, () => drawSelection(context, tokens));
  for (let look = 0; look < OVERLAY_LOOKS.length; look++) {
    for (let type = 0; type < MARK_TYPES.length; type++) {
      for (const slashed of [false, true]) {
        inCell(overlayCell(look, type, slashed), () => drawOverlay(context, look, type, slashed, tokens));
      }
    }
  }
  return canvas;
}
