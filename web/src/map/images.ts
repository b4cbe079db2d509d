import type { Map as MapLibreMap } from 'maplibre-gl';
import { AREA_IMAGE, ARROW_IMAGE, HATCH_IMAGE, ROOM_IMAGE, ROOM_PX, SIGN_IMAGE, TRIP_IMAGE } from './imageNames';
import { AREA_GLYPHS, type AreaFamily, GLYPH_PX } from './layers/areaGlyph';
import { SIGN_GLYPHS, SIGN_PLATES, SIGN_PX, type SignGlyph, type SignShape } from './layers/signs';
import { TRIP_FORMS, TRIP_PX, type TripForm, type TripFormLook } from './layers/tripMarks';
import { shieldImage } from './style-labels';
import { TOKENS } from './tokens';
import type { ThemeName } from './types';

const SIDE = 20;
const RADIUS = 4;
const THEMES: readonly ThemeName[] = ['dark', 'light'];

/** A rounded plate that stretches around its text. */
function drawShield(theme: ThemeName, ratio: number): ImageData | null {
  const { shield, shieldLine } = TOKENS[theme];
  const side = SIDE * ratio;
  const context = new OffscreenCanvas(side, side).getContext('2d');
  if (!context) return null;
  context.scale(ratio, ratio);
  context.beginPath();
  context.roundRect(0.75, 0.75, SIDE - 1.5, SIDE - 1.5, RADIUS);
  context.fillStyle = shield;
  context.fill();
  context.strokeStyle = shieldLine;
  context.lineWidth = 1;
  context.stroke();
  return context.getImageData(0, 0, side, side);
}

/** A canvas of so many px, as large as the screen wants it. */
function canvas(px: number, ratio: number): OffscreenCanvasRenderingContext2D | null {
  const context = new OffscreenCanvas(px * ratio, px * ratio).getContext('2d');
  context?.scale(ratio, ratio);
  return context;
}

/** The marker of a family of areas: its form in its color, on a plate that parts it from the ground. */
function drawArea(family: AreaFamily, color: string, ratio: number): ImageData | null {
  const context = canvas(GLYPH_PX + 2, ratio);
  if (!context) return null;
  const form = new Path2D(AREA_GLYPHS[family]);
  context.translate(1, 1);
  context.lineJoin = 'round';
  context.lineWidth = 2;
  context.strokeStyle = '#ffffff';
  context.stroke(form);
  context.fillStyle = '#ffffff';
  context.fill(form);
  context.fillStyle = color;
  context.fill(form, 'evenodd');
  return context.getImageData(0, 0, (GLYPH_PX + 2) * ratio, (GLYPH_PX + 2) * ratio);
}

const HATCH_PX = 12;

/** Slanted lines that go on from tile to tile. */
function drawHatch(color: string, ratio: number): ImageData | null {
  const context = canvas(HATCH_PX, ratio);
  if (!context) return null;
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  for (const x of [-HATCH_PX, 0, HATCH_PX]) {
    context.moveTo(x - 2, HATCH_PX + 2);
    context.lineTo(x + HATCH_PX + 2, -2);
  }
  context.stroke();
  return context.getImageData(0, 0, HATCH_PX * ratio, HATCH_PX * ratio);
}

const ARROW_PX = 14;

/** A chevron that points east. */
function drawArrow(color: string, ratio: number): ImageData | null {
  const context = canvas(ARROW_PX, ratio);
  if (!context) return null;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.lineWidth = 2.4;
  context.strokeStyle = color;
  context.stroke(new Path2D('M5 3.5 9 7 5 10.5'));
  return context.getImageData(0, 0, ARROW_PX * ratio, ARROW_PX * ratio);
}

/** A plate with its glyph on it. */
function drawSign(shape: SignShape, fill: string, edge: string, ink: string, glyph: SignGlyph, ratio: number) {
  const context = canvas(SIGN_PX, ratio);
  if (!context) return null;
  const { path, x, y, scale } = SIGN_PLATES[shape];
  const plate = new Path2D(path);
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.fillStyle = fill;
  context.fill(plate);
  context.strokeStyle = edge;
  context.lineWidth = 2;
  context.stroke(plate);
  context.translate(x, y);
  context.scale(scale, scale);
  context.strokeStyle = ink;
  context.lineWidth = 2.2;
  context.stroke(new Path2D(SIGN_GLYPHS[glyph]));
  return context.getImageData(0, 0, SIGN_PX * ratio, SIGN_PX * ratio);
}

/** A mark of a trip; what has a way points north before it is turned. */
function drawTrip(form: TripForm, fill: string, edge: string, ratio: number): ImageData | null {
  const context = canvas(TRIP_PX, ratio);
  if (!context) return null;
  const { path, width, dash = [] }: TripFormLook = TRIP_FORMS[form];
  const shape = new Path2D(path);
  context.lineJoin = 'round';
  context.lineWidth = width;
  context.fillStyle = fill;
  context.fill(shape);
  context.strokeStyle = edge;
  context.setLineDash([...dash]);
  context.stroke(shape);
  return context.getImageData(0, 0, TRIP_PX * ratio, TRIP_PX * ratio);
}

/** The image that a name asks for. */
function namedImage(id: string, ratio: number): ImageData | null {
  if (id.startsWith(SIGN_IMAGE)) {
    const [shape = '', fill = '', edge = '', ink = '', glyph = ''] = id.slice(SIGN_IMAGE.length).split('/');
    if (!(shape in SIGN_PLATES) || !(glyph in SIGN_GLYPHS)) return null;
    return drawSign(shape as SignShape, fill, edge, ink, glyph as SignGlyph, ratio);
  }
  if (id.startsWith(TRIP_IMAGE)) {
    const [form = '', fill = '', edge = ''] = id.slice(TRIP_IMAGE.length).split('/');
    return form in TRIP_FORMS ? drawTrip(form as TripForm, fill, edge, ratio) : null;
  }
  if (id.startsWith(HATCH_IMAGE)) return drawHatch(id.slice(HATCH_IMAGE.length), ratio);
  if (id.startsWith(ARROW_IMAGE)) return drawArrow(id.slice(ARROW_IMAGE.length), ratio);
  const [, family, color] = /^(\w+)(#.*)$/.exec(id.slice(AREA_IMAGE.length)) ?? [];
  return family && color && family in AREA_GLYPHS ? drawArea(family as AreaFamily, color, ratio) : null;
}

/** Draws images when a style first asks for them: there is no sprite. */
export function provideImages(map: MapLibreMap): void {
  map.setMissingStyleImageResolver(id => {
    if (id === ROOM_IMAGE && !map.hasImage(id)) {
      map.addImage(id, { width: ROOM_PX, height: ROOM_PX, data: new Uint8Array(ROOM_PX * ROOM_PX * 4) });
      return;
    }
    if ([AREA_IMAGE, ARROW_IMAGE, HATCH_IMAGE, SIGN_IMAGE, TRIP_IMAGE].some(kind => id.startsWith(kind))) {
      const pixelRatio = Math.min(3, Math.ceil(map.getPixelRatio()));
      const image = map.hasImage(id) ? null : namedImage(id, pixelRatio);
      if (image) map.addImage(id, image, { pixelRatio });
      return;
    }
    const theme = THEMES.find(name => shieldImage(name) === id);
    if (!theme || map.hasImage(id)) return;
    const ratio = Math.min(3, Math.ceil(map.getPixelRatio()));
    const image = drawShield(theme, ratio);
    if (!image) return;
    const inner: [number, number] = [(RADIUS + 1) * ratio, (SIDE - RADIUS - 1) * ratio];
    map.addImage(id, image, {
      pixelRatio: ratio,
      stretchX: [inner],
      stretchY: [inner],
      content: [2 * ratio, 2 * ratio, (SIDE - 2) * ratio, (SIDE - 2) * ratio],
    });
  });
}
