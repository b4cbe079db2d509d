import type { MapTokens } from './tokens';
import type { MarkStatus, MarkType } from './types';

/**
 * Our mark design as data, drawn twice: into the map's atlas (canvas) and as SVG
 * in lists and details. Shapes stand in a field of 32 × 32 units around (16, 16),
 * glyphs in 24 × 24, stroked 2.4 wide with round ends.
 */
export const MARK_UNITS = 32;
export const GLYPH_UNITS = 24;
export const GLYPH_STROKE = 2.4;

/** One stroke path for each asset type. */
export const GLYPHS: Readonly<Record<MarkType, string>> = {
  // a flame with its inner tongue
  fire: 'M12.4 2.6c.5 3.6 5.9 5.6 5.9 11.2a6.3 6.3 0 0 1-12.6 0c0-2.4 1.1-4 2.5-5.3.3 1.6 1 2.7 2.1 3.2-.4-3.3.2-6.6 2.1-9.1Z',
  // a badge
  police: 'M12 2.8 19.6 5.7v5.5c0 4.9-3.1 8.2-7.6 10-4.5-1.8-7.6-5.1-7.6-10V5.7Z',
  // a cross
  ambulance: 'M9.2 3.8h5.6v5.4h5.4v5.6h-5.4v5.4H9.2v-5.4H3.8V9.2h5.4Z',
  // a beacon with rays
  emergency_response: 'M6.6 17v-3.6a5.4 5.4 0 0 1 10.8 0V17M4.2 20.6h15.6M12 2.6v2M4.4 5.8l1.5 1.4M19.6 5.8l-1.5 1.4',
  // chevrons of an arrow board
  arrow_board: 'm5.6 6 6 6-6 6M12.8 6l6 6-6 6',
  // a traffic cone
  maintenance: 'M9.7 4.2h4.6l4.2 15.6M9.7 4.2 5.5 19.8M8.1 10.6h7.8M6.6 15.4h10.8M3 20.2h18',
  // a truck with its boom and hook
  tow:
    'M4 8.4V4.4l8.2 7M2.8 16.4v-4.8h9.8V7.4h3.8l4.6 4.6v4.4M9.4 17.2a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 1 1 ' +
    '4.4 0M19.2 17.2a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 1 1 4.4 0',
  // a bin
  waste: 'M3.8 6.8h16.4M9 6.8V3.8h6v3M5.8 6.8l1.1 13.4h10.2l1.1-13.4M10.2 11v5.2M13.8 11v5.2',
  // a vehicle
  other:
    'M2.8 16.4V7.2h10.6v9.2M13.4 10.2h3.8l3.8 3.6v2.6M9.4 17.2a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 1 1 4.4 ' +
    '0M19.2 17.2a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 1 1 4.4 0',
};

export type ShapeName =
  | 'diamond'
  | 'drop'
  | 'disc'
  | 'ring'
  | 'ringBar'
  | 'ringDashed'
  | 'ringSmall'
  | 'ringTest'
  | 'ringLit';

/** A path of a shape; colors are names of tokens. `edge`: the stroke is painted first and shows only outside. */
export interface ShapePart {
  readonly edge?: boolean;
  readonly d: string;
  readonly fill?: keyof MapTokens;
  readonly stroke?: keyof MapTokens;
  readonly width?: number;
  readonly dash?: readonly [number, number];
}

const circle = (r: number): string => `M${16 - r} 16a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;

// A square of 20 with corners of radius 4, standing on its corner.
const DIAMOND = ((): string => {
  const tip = 10 * Math.SQRT2;
  const cut = 4 / Math.SQRT2;
  const n = (value: number): string => value.toFixed(3);
  return (
    `M${n(16 - cut)} ${n(16 - tip + cut)}A4 4 0 0 1 ${n(16 + cut)} ${n(16 - tip + cut)}` +
    `L${n(16 + tip - cut)} ${n(16 - cut)}A4 4 0 0 1 ${n(16 + tip - cut)} ${n(16 + cut)}` +
    `L${n(16 + cut)} ${n(16 + tip - cut)}A4 4 0 0 1 ${n(16 - cut)} ${n(16 + tip - cut)}` +
    `L${n(16 - tip + cut)} ${n(16 + cut)}A4 4 0 0 1 ${n(16 - tip + cut)} ${n(16 - cut)}Z`
  );
})();

export const SHAPES: Readonly<Record<ShapeName, readonly ShapePart[]>> = {
  diamond: [{ d: DIAMOND, fill: 'scene', stroke: 'halo', width: 1.5, edge: true }],
  drop: [{ d: 'M16 .8 21.4 7.2A11 11 0 1 1 10.6 7.2Z', fill: 'activeMark', stroke: 'activeEdge', width: 1.5 }],
  disc: [{ d: circle(11), fill: 'activeMark', stroke: 'activeEdge', width: 1.5 }],
  ring: [{ d: circle(10.5), fill: 'panel', stroke: 'standby', width: 2 }],
  ringBar: [
    { d: circle(10.5), fill: 'panel', stroke: 'standby', width: 2 },
    { d: 'M9 29.5h14', stroke: 'standby', width: 2.4 },
  ],
  ringDashed: [{ d: circle(10.5), fill: 'panel', stroke: 'pending', width: 2, dash: [4.4, 3.2] }],
  ringSmall: [{ d: circle(9.5), fill: 'panel', stroke: 'offline', width: 1.5 }],
  // Two rings, the outer one dashed: told from a pending asset by its shape, and never like an alert.
  ringTest: [
    { d: circle(9.5), fill: 'panel', stroke: 'maplabel', width: 1.5 },
    { d: circle(13.6), stroke: 'maplabel', width: 1.8, dash: [3, 2.34] },
  ],
  ringLit: [{ d: circle(10.5), fill: 'panel', stroke: 'active', width: 2.5 }],
};

/** The slash of an asset that is out of service: a halo first, then the line in the ink of the status. */
export const SLASH = { d: 'M7 25 25 7', haloWidth: 5, width: 2.2 } as const;

/** Ink of the glyph, and the length of its square, for each look. */
export interface MarkLook {
  readonly shape: ShapeName;
  readonly ink: keyof MapTokens;
  /** Color of the slash. */
  readonly line: keyof MapTokens;
  readonly glyphPx: number;
}

const ACTIVE: MarkLook = { shape: 'disc', ink: 'activeMarkInk', line: 'activeMarkInk', glyphPx: 13 };

export const LOOKS: Readonly<Record<MarkStatus, MarkLook>> = {
  LOCATION: { shape: 'diamond', ink: 'sceneInk', line: 'sceneInk', glyphPx: 14 },
  ACTIVE,
  STANDBY: { shape: 'ring', ink: 'standby', line: 'standby', glyphPx: 12 },
  STATIONARY: { shape: 'ringBar', ink: 'standby', line: 'standby', glyphPx: 12 },
  PENDING: { shape: 'ringDashed', ink: 'pending', line: 'pending', glyphPx: 12 },
  OFFLINE: { shape: 'ringSmall', ink: 'offline', line: 'offline', glyphPx: 11 },
  OOS: { shape: 'ringSmall', ink: 'offline', line: 'offline', glyphPx: 11 },
  TEST: { shape: 'ringTest', ink: 'maplabel', line: 'maplabel', glyphPx: 11 },
};

/**
 * A lit arrow board where the map is about something else: its lights are its work, and filled it would be taken for a
 * closure or a zone. In the live sections it looks like all that alerts.
 */
export const BOARD_BEHIND: MarkLook = { shape: 'ringLit', ink: 'active', line: 'active', glyphPx: 12 };

/** Whether the course may be shown: an alerting asset that moves, with a known course and a fresh position. */
export function showsCourse(status: MarkStatus, course: number | null, speed: number, stale: boolean): boolean {
  return status === 'ACTIVE' && course !== null && speed > 0 && !stale;
}
