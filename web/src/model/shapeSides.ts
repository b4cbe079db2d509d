/** A place on the grid of stored positions, in 1e-7 degrees: x is east, y north. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Corners of a ring; the last is joined with the first, which is not repeated. */
export type Ring = readonly Spot[];

/**
 * Above 0 where p lies to the left of the way from a to b, 0 on the straight line through them; only the sign and 0
 * are meant. Exact, as on the server: products beyond the whole numbers of a double are counted out.
 */
export function turn(a: Spot, b: Spot, p: Spot): number {
  const [bx, by, px, py] = [b.x - a.x, b.y - a.y, p.x - a.x, p.y - a.y];
  const left = bx * py;
  const right = px * by;
  if (Math.abs(left) <= Number.MAX_SAFE_INTEGER && Math.abs(right) <= Number.MAX_SAFE_INTEGER) return left - right;
  const exact = BigInt(bx) * BigInt(py) - BigInt(px) * BigInt(by);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

export const cornerAfter = (ring: Ring, i: number): Spot => ring[(i + 1) % ring.length] as Spot;

/** A side for the sweep: a is the western end, of a north-south one the southern. */
interface Side {
  a: Spot;
  b: Spot;
  /** the side that follows in its ring */
  next: number;
}

const before = (p: Spot, q: Spot): number => p.x - q.x || p.y - q.y;

/** The sides of all rings; undefined when one goes back over the one before. */
function sidesOf(rings: readonly Ring[]): Side[] | undefined {
  const sides: Side[] = [];
  for (const ring of rings) {
    const first = sides.length;
    for (const [i, a] of ring.entries()) {
      const b = cornerAfter(ring, i);
      const c = cornerAfter(ring, i + 1);
      if (turn(a, b, c) === 0 && (a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y) > 0) return undefined;
      const next = first + ((i + 1) % ring.length);
      sides.push(before(b, a) < 0 ? { a: b, b: a, next } : { a, b, next });
    }
  }
  return sides;
}

const apart = (v: number, u: number): boolean => (v > 0 && u > 0) || (v < 0 && u < 0);

const touch = (s: Side, t: Side): boolean =>
  s.a.x <= t.b.x &&
  t.a.x <= s.b.x &&
  Math.min(s.a.y, s.b.y) <= Math.max(t.a.y, t.b.y) &&
  Math.min(t.a.y, t.b.y) <= Math.max(s.a.y, s.b.y) &&
  !apart(turn(s.a, s.b, t.a), turn(s.a, s.b, t.b)) &&
  !apart(turn(t.a, t.b, s.a), turn(t.a, t.b, s.b));

/** The first of the cuts, from south to north, that lies north of a side which enters. */
function placeOf(cuts: readonly Side[], t: Side): number {
  let [from, to] = [0, cuts.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const s = cuts[middle] as Side;
    if ((turn(s.a, s.b, t.a) || turn(s.a, s.b, t.b)) < 0) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * Whether the outline of rings meets itself anywhere but where one side follows the other. A line sweeps from west
 * to east and knows the sides that it cuts from south to north; only neighbors are compared, as on the server.
 */
export function isCrossed(rings: readonly Ring[]): boolean {
  const sides = sidesOf(rings);
  if (!sides) return true;
  const meet = (s: Side | undefined, t: Side | undefined): boolean =>
    s !== undefined && t !== undefined && sides[s.next] !== t && sides[t.next] !== s && touch(s, t);
  const events = sides.flatMap(side => [
    { at: side.a, ends: 0, side },
    { at: side.b, ends: 1, side },
  ]);
  // At one spot sides enter first: all that meet there are known together.
  events.sort((p, q) => before(p.at, q.at) || p.ends - q.ends);
  const cuts: Side[] = [];
  for (const { ends, side } of events) {
    if (ends) {
      const k = cuts.indexOf(side);
      cuts.splice(k, 1);
      if (meet(cuts[k - 1], cuts[k])) return true;
    } else {
      const k = placeOf(cuts, side);
      if (meet(cuts[k - 1], side) || meet(side, cuts[k])) return true;
      cuts.splice(k, 0, side);
    }
  }
  return false;
}
