/** Path texts of a drawn town in a box of 1000 × 1000. */
export interface Town {
  lanes: string;
  avenues: string;
  motorway: string;
  rail: string;
  river: string;
  creek: string;
  buildings: string;
  parks: readonly string[];
}

type Point = readonly [x: number, y: number];

/** A small generator of repeatable numbers in 0…1 (mulberry32). */
function repeatable(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const TURN = (-31 * Math.PI) / 180;
const CENTER = 500;
/** The grid reaches past the box on all sides, because it is turned. */
const FROM = -340;
const TO = 1340;

/** From the town's own grid (axes along its streets) to the picture. */
function place([u, v]: Point): Point {
  const x = u - CENTER;
  const y = v - CENTER;
  return [CENTER + x * Math.cos(TURN) - y * Math.sin(TURN), CENTER + x * Math.sin(TURN) + y * Math.cos(TURN)];
}

const text = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const line = (...points: Point[]) => `M${points.map(point => text(place(point))).join('L')}`;
const shape = (...points: Point[]) => `${line(...points)}Z`;

/** A cubic curve in the picture itself, with points along it. */
interface Curve {
  d: string;
  points: readonly Point[];
}

function curve(a: Point, b: Point, c: Point, d: Point): Curve {
  const points = Array.from({ length: 61 }, (_, step): Point => {
    const t = step / 60;
    const s = 1 - t;
    const mix = (axis: 0 | 1) =>
      s * s * s * a[axis] + 3 * s * s * t * b[axis] + 3 * s * t * t * c[axis] + t * t * t * d[axis];
    return [mix(0), mix(1)];
  });
  return { d: `M${text(a)}C${text(b)} ${text(c)} ${text(d)}`, points };
}

const near = ({ points }: Curve, [x, y]: Point, within: number) =>
  points.some(([px, py]) => Math.hypot(px - x, py - y) < within);

const RIVER = curve([300, -60], [520, 190], [820, 130], [1060, 420]);
const CREEK = curve([640, 172], [560, 330], [700, 520], [1070, 640]);
const MOTORWAY = curve([250, -60], [180, 330], [40, 520], [-40, 1080]);
const RAIL = curve([-60, 800], [300, 760], [560, 930], [1070, 790]);

/** Parks as rectangles of the town's grid: left, top, width, height. */
const PARKS: readonly (readonly [number, number, number, number])[] = [
  [318, 236, 150, 104],
  [690, 640, 92, 138],
  [150, 700, 120, 84],
];

const isGreen = ([u, v]: Point) =>
  PARKS.some(([left, top, width, height]) => u > left && u < left + width && v > top && v < top + height);

/** Where nothing is built and only avenues cross. */
const isKeptFree = (point: Point, margin: number) =>
  isGreen(point) ||
  near(RIVER, place(point), 30 + margin) ||
  near(CREEK, place(point), 8 + margin) ||
  near(MOTORWAY, place(point), 16 + margin);

/** Where streets run along one axis: blocks of uneven width. */
function cuts(random: () => number, least: number, most: number): number[] {
  const out: number[] = [];
  for (let n = FROM; n < TO; n += least + (most - least) * random()) out.push(Math.round(n));
  return out;
}

/** Draws the town; the same one each time. */
export function streets(): Town {
  const random = repeatable(41);
  const rows = cuts(random, 46, 62);
  const columns = cuts(random, 64, 98);
  const at = (axis: 'u' | 'v', fixed: number, along: number): Point => (axis === 'u' ? [along, fixed] : [fixed, along]);
  const lanes: string[] = [];
  const avenues: string[] = [];
  const addStreets = (axis: 'u' | 'v', all: readonly number[], every: number, crossings: readonly number[]) => {
    for (const [index, fixed] of all.entries()) {
      if (index % every === 2) avenues.push(line(at(axis, fixed, FROM), at(axis, fixed, TO)));
      else lanes.push(...laneOf(random, crossings, along => at(axis, fixed, along)));
    }
  };
  addStreets('u', rows, 5, columns);
  addStreets('v', columns, 4, rows);
  return {
    lanes: lanes.join(''),
    avenues: avenues.join(''),
    motorway: MOTORWAY.d,
    rail: RAIL.d,
    river: RIVER.d,
    creek: CREEK.d,
    buildings: houses(random, rows, columns),
    parks: PARKS.map(([u, v, width, height]) =>
      shape([u, v], [u + width, v], [u + width, v + height], [u, v + height]),
    ),
  };
}

/** A lane from crossing to crossing, broken at parks and water and, now and then, where it was never built. */
function laneOf(random: () => number, crossings: readonly number[], at: (along: number) => Point): string[] {
  const out: string[] = [];
  for (const [index, from] of crossings.slice(0, -1).entries()) {
    const to = crossings[index + 1] ?? from;
    const parts = [from, (from + to) / 2, to].map(at);
    if (random() < 0.06 || parts.some(point => isKeptFree(point, 4))) continue;
    out.push(line(at(from), at(to)));
  }
  return out;
}

/** Houses along both sides of each block, set back from the street. */
function houses(random: () => number, rows: readonly number[], columns: readonly number[]): string {
  let out = '';
  for (const [row, top] of rows.slice(0, -1).entries()) {
    const bottom = rows[row + 1] ?? top;
    for (const [column, left] of columns.slice(0, -1).entries()) {
      const right = columns[column + 1] ?? left;
      for (const side of ['top', 'bottom'] as const) {
        for (let u = left + 8; u < right - 14; u += 13 + random() * 12) {
          const width = Math.min(7 + random() * 10, right - 7 - u);
          const depth = 7 + random() * ((bottom - top) / 2 - 14);
          const v = side === 'top' ? top + 7 : bottom - 7 - depth;
          if (random() < 0.3 || isKeptFree([u + width / 2, v + depth / 2], 12)) continue;
          out += shape([u, v], [u + width, v], [u + width, v + depth], [u, v + depth]);
        }
      }
    }
  }
  return out;
}
