// Where a name stands on a country or state.

const KM_PER_DEGREE = 111.2;

/** Signed area of a ring in km², good enough for ranks. */
function ringAreaKm2(ring) {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x1, y1] = ring[i - 1];
    const [x2, y2] = ring[i];
    sum += (x1 * y2 - x2 * y1) * Math.cos((((y1 + y2) / 2) * Math.PI) / 180);
  }
  return (sum / 2) * KM_PER_DEGREE * KM_PER_DEGREE;
}

/** The longest stretch inside the polygon at a latitude: [middle longitude, length]. */
function widest(rings, lat) {
  const crossings = [];
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [x1, y1] = ring[i - 1];
      const [x2, y2] = ring[i];
      if (y1 > lat !== y2 > lat) crossings.push(x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1));
    }
  }
  crossings.sort((a, b) => a - b);
  let best = [0, 0];
  for (let i = 1; i < crossings.length; i += 2) {
    const length = crossings[i] - crossings[i - 1];
    if (length > best[1]) best = [(crossings[i] + crossings[i - 1]) / 2, length];
  }
  return best;
}

/** A point well inside the largest part of an area, and that part's size; null without area. */
export function labelPoint(geometry) {
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  let part = null;
  let areaKm2 = 0;
  for (const rings of parts) {
    const area = Math.abs(ringAreaKm2(rings[0]));
    if (area > areaKm2) [part, areaKm2] = [rings, area];
  }
  if (!part) return null;
  const lats = part[0].map(p => p[1]);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  let best = { score: 0, at: part[0][0] };
  const steps = 40;
  for (let i = 1; i < steps; i++) {
    const lat = south + ((north - south) * i) / steps;
    const [lng, length] = widest(part, lat);
    const centerd = 1 - Math.abs(i / steps - 0.5); // a label likes the middle
    const score = length * Math.cos((lat * Math.PI) / 180) * centerd;
    if (score > best.score) best = { score, at: [Number(lng.toFixed(4)), Number(lat.toFixed(4))] };
  }
  return { at: best.at, areaKm2 };
}

/** 1 for the largest areas to 5 for the smallest. */
export function areaRank(km2) {
  const rank = [2_000_000, 400_000, 80_000, 10_000].findIndex(least => km2 >= least);
  return rank < 0 ? 5 : rank + 1;
}
