import type { Map as MapLibreMap } from 'maplibre-gl';
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

/** A clear square as large as the core of a mark. */
export const ROOM_IMAGE = 'lightbar-room';
const ROOM_PX = 26;

/** Draws images when a style first asks for them: there is no sprite. */
export function provideImages(map: MapLibreMap): void {
  map.setMissingStyleImageResolver(id => {
    if (id === ROOM_IMAGE && !map.hasImage(id)) {
      map.addImage(id, { width: ROOM_PX, height: ROOM_PX, data: new Uint8Array(ROOM_PX * ROOM_PX * 4) });
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
