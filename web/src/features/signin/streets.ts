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
const CENTRE = 500;

/** From the town's own grid (axes along its streets) to the picture. */
function place([u, v]: Point): Point {
  const x = u - CENTRE;
  const y = v - CENTRE;
  return [CENTRE + x * Math.cos(TURN) - y * Math.sin(TURN), CENTRE + x * Math.sin(TURN) + y * Math.cos(TURN)];
}

const at = (point: Point) =>
  place(point)
    .map(n => n.toFixed(1))
    .join(' ');
const line = (...points: Point[]) => `M${points.map(at).join('L')}`;
const shape = (...points: Point[]) => `${line(...points)}Z`;
const curve = (a: Point, b: Point, c: Point, d: Point) => `M${at(a)}C${at(b)} ${at(c)} ${at(d)}`;

const PARKS: readonly (readonly [u: number, v: number, width: number, height: number])[] = [
  [214, 150, 190, 118],
  [668, 560, 96, 152],
  [330, 820, 130, 90],
];

const inPark = (u: number, v: number) =>
  PARKS.some(
    ([left, top, width, height]) => u > left - 8 && u < left + width + 8 && v > top - 8 && v < top + height + 8,
  );

/** Where streets run along one axis: blocks of uneven width. */
function cuts(random: () => number, least: number, most: number): number[] {
  const out: number[] = [];
  for (let n = -320; n < 1320; n += least + (most - least) * random()) out.push(Math.round(n));
  return out;
}

/** Draws the town; the same one each time. */
export function streets(): Town {
  const random = repeatable(41);
  const across = cuts(random, 44, 66);
  const along = cuts(random, 62, 104);
  const lanes: string[] = [];
  const avenues: string[] = [];
  for (const [index, v] of across.entries()) addStreet(random, index % 5 === 2, v, 'u', lanes, avenues);
  for (const [index, u] of along.entries()) addStreet(random, index % 4 === 1, u, 'v', lanes, avenues);
  return {
    lanes: lanes.join(''),
    avenues: avenues.join(''),
    motorway: curve([-300, 250], [120, 330], [60, 760], [140, 1400]),
    rail: curve([-320, 1010], [300, 900], [620, 1010], [1320, 880]),
    river: curve([620, -320], [700, 120], [980, 260], [1340, 430]),
    creek: curve([760, 90], [560, 170], [470, 60], [380, -260]),
    buildings: blocks(random, across, along),
    parks: PARKS.map(([u, v, width, height]) =>
      shape([u, v], [u + width, v], [u + width, v + height], [u, v + height]),
    ),
  };
}

/** One street of the grid, broken where a park lies and, now and then, where the town never built it. */
function addStreet(
  random: () => number,
  isAvenue: boolean,
  fixed: number,
  axis: 'u' | 'v',
  lanes: string[],
  avenues: string[],
) {
  if (isAvenue) {
    avenues.push(axis === 'u' ? line([-320, fixed], [1320, fixed]) : line([fixed, -320], [fixed, 1320]));
    return;
  }
  const step = 82;
  for (let n = -320; n < 1320; n += step) {
    const [u, v] = axis === 'u' ? [n + step / 2, fixed] : [fixed, n + step / 2];
    if (inPark(u, v) || random() < 0.07) continue;
    lanes.push(axis === 'u' ? line([n, fixed], [n + step, fixed]) : line([fixed, n], [fixed, n + step]));
  }
}

/** Houses inside the blocks, set back from the street. */
function blocks(random: () => number, across: readonly number[], along: readonly number[]): string {
  let out = '';
  for (const [row, top] of across.slice(0, -1).entries()) {
    const bottom = across[row + 1] ?? top;
    for (const [column, left] of along.slice(0, -1).entries()) {
      const right = along[column + 1] ?? left;
      if (inPark((left + right) / 2, (top + bottom) / 2)) continue;
      for (let u = left + 9; u + 14 < right; u += 16 + random() * 16) {
        const width = Math.min(11 + random() * 12, right - 8 - u);
        const depth = 9 + random() * (bottom - top - 26);
        if (random() < 0.38 || width < 7) continue;
        const v = random() < 0.5 ? top + 8 : bottom - 8 - depth;
        out += shape([u, v], [u + width, v], [u + width, v + depth], [u, v + depth]);
      }
    }
  }
  return out;
}
