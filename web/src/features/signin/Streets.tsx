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

/** Where streets run along one axis, in blocks of uneven width. They reach past the picture, because the town is turned. */
function cuts(random: () => number, least: number, most: number): number[] {
  const out: number[] = [];
  for (let n = -340; n < 1340; n += Math.round(least + (most - least) * random())) out.push(n);
  return out;
}

const every = (all: readonly number[], nth: number) => all.filter((_, at) => at % nth === 2);
const pairs = (all: readonly number[]) => all.slice(1).map((to, at) => [all[at] ?? to, to] as const);

/** Lanes from crossing to crossing, now and then broken where nothing was built. */
const lanesOf = (random: () => number, crossings: readonly number[], draw: (from: number, to: number) => string) =>
  pairs(crossings).map(([from, to]) => (random() < 0.07 ? '' : draw(from, to)));

/** Houses along both sides of each block, set back from the street. */
function houses(random: () => number, rows: readonly number[], columns: readonly number[]): string {
  let out = '';
  for (const [top, bottom] of pairs(rows))
    for (const [left, right] of pairs(columns))
      for (const isTop of [true, false])
        for (let u = left + 8; u < right - 14; u += 13 + random() * 12) {
          const width = Math.min(7 + random() * 10, right - 7 - u);
          const depth = 7 + random() * ((bottom - top) / 2 - 14);
          const v = isTop ? top + 7 : bottom - 7 - depth;
          if (random() > 0.3)
            out += `M${u.toFixed(1)} ${v.toFixed(1)}h${width.toFixed(1)}v${depth.toFixed(1)}h${-width.toFixed(1)}z`;
        }
  return out;
}

function town() {
  const random = repeatable(41);
  const [rows, columns] = [cuts(random, 46, 62), cuts(random, 64, 98)];
  const lanes = [
    ...rows.flatMap(v => lanesOf(random, columns, (from, to) => `M${from} ${v}H${to}`)),
    ...columns.flatMap(u => lanesOf(random, rows, (from, to) => `M${u} ${from}V${to}`)),
  ];
  const avenues = [...every(rows, 5).map(v => `M-340 ${v}H1340`), ...every(columns, 4).map(u => `M${u} -340V1340`)];
  return { lanes: lanes.join(''), avenues: avenues.join(''), built: houses(random, rows, columns) };
}

const PARKS = 'M318 236h150v104h-150zM690 640h92v138h-92zM150 700h120v84h-120z';
const RIVER = 'M300 -60C520 190 820 130 1060 420';
const CREEK = 'M640 172C560 330 700 520 1070 640';
const MOTORWAY = 'M250 -60C180 330 40 520 -40 1080';

/**
 * A quiet picture of a town that does not exist: decoration, drawn from numbers, no request. Water covers what is built
 * there; avenues bridge it.
 */
export default function Streets() {
  const { lanes, avenues, built } = town();
  const turned = 'rotate(-31 500 500)';
  return (
    <svg
      viewBox="0 0 1000 1000"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      fill="none"
      strokeLinecap="round"
    >
      <g transform={turned}>
        <path d={built} fill="var(--building)" />
        <path d={lanes} stroke="var(--case)" strokeWidth="5" />
        <path d={lanes} stroke="var(--road)" strokeWidth="3.6" />
        <path d={PARKS} fill="var(--park)" />
      </g>
      <path d={CREEK} stroke="var(--land)" strokeWidth="22" />
      <path d={RIVER} stroke="var(--land)" strokeWidth="74" />
      <path d={CREEK} stroke="var(--water)" strokeWidth="10" />
      <path d={RIVER} stroke="var(--water)" strokeWidth="58" />
      <path d={MOTORWAY} stroke="var(--land)" strokeWidth="40" />
      <g transform={turned}>
        <path d={avenues} stroke="var(--case)" strokeWidth="8" />
        <path d={avenues} stroke="var(--road-3)" strokeWidth="6.2" />
      </g>
      <path d={MOTORWAY} stroke="var(--case)" strokeWidth="18" />
      <path d={MOTORWAY} stroke="var(--motorway)" strokeWidth="15" />
      <path d={MOTORWAY} stroke="var(--case)" strokeWidth="2" />
      <path d="M-60 800C300 760 560 930 1070 790" stroke="var(--rail)" strokeWidth="1.5" strokeDasharray="5 3" />
    </svg>
  );
}
