import styles from './BarChart.module.css';

export interface Bar {
  /** Stands below it: "11". */
  label: string;
  /** What it is in full, as its table and its tip say it: "Wed, Nov-11". */
  name: string;
  value: number;
  /** Stands on a ground of its own, such as the days of a weekend. */
  isApart?: boolean;
}

export interface BarChartProps {
  title: string;
  bars: readonly Bar[];
  /** A value in words. */
  textOf: (value: number) => string;
  /** The heads of its table: what bars are, and what their values are. */
  heads: readonly [name: string, value: string];
  /** The smallest step between its lines; whole numbers have 1. */
  leastStep?: number;
}

const HEIGHT = 150;
const TOP = 8;
const FOOT = 22;
/** Of the width, in percent: what the scale at the left takes. */
const LEFT = 5;

/** The step between lines: 1, 2 or 5 times a power of ten, so that there are at most four. */
export function stepOf(most: number, least = 0): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const times = [1, 2, 5, 10].find(one => one * power * 4 >= most) ?? 10;
  return Math.max(times * power, least);
}

/** Values side by side as bars, and the same as a table for who does not see them or wants the numbers. */
export function BarChart({ title, bars, textOf, heads, leastStep }: BarChartProps) {
  const most = Math.max(0, ...bars.map(bar => bar.value));
  const tallest = bars.find(bar => bar.value === most);
  const step = stepOf(most, leastStep);
  const lines = Math.max(1, Math.ceil(most / step - 1e-9));
  const heightOf = (value: number) => (value / (lines * step)) * (HEIGHT - TOP - FOOT);
  const yOf = (value: number) => HEIGHT - FOOT - heightOf(value);
  const wide = (100 - LEFT) / Math.max(1, bars.length);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.head}>
        <h3>{title}</h3>
        <span className="num">
          {most > 0 && tallest ? `Most: ${textOf(most)} on ${tallest.name}` : 'None in this month'}
        </span>
      </figcaption>
      <svg className={styles.plot} height={HEIGHT} width="100%" aria-hidden="true" focusable="false">
        {bars.map((bar, index) =>
          bar.isApart ? (
            <rect
              key={bar.name}
              className={styles.apart}
              x={`${LEFT + index * wide}%`}
              width={`${wide}%`}
              y={TOP}
              height={HEIGHT - TOP - FOOT}
            />
          ) : null,
        )}
        {Array.from({ length: lines + 1 }, (_, line) => line * step).map(value => (
          <g key={value}>
            <line className={styles.line} x1={`${LEFT}%`} x2="100%" y1={yOf(value)} y2={yOf(value)} />
            <text className={styles.scale} x={`${LEFT - 0.8}%`} y={yOf(value) + 4} textAnchor="end">
              {Number(value.toPrecision(6)).toLocaleString('en-US')}
            </text>
          </g>
        ))}
        {bars.map((bar, index) => (
          <g key={bar.name}>
            <title>{`${bar.name}: ${textOf(bar.value)}`}</title>
            <rect
              className={styles.bar}
              x={`${LEFT + (index + 0.16) * wide}%`}
              width={`${wide * 0.68}%`}
              y={HEIGHT - FOOT - Math.max(heightOf(bar.value), bar.value > 0 ? 1 : 0)}
              height={Math.max(heightOf(bar.value), bar.value > 0 ? 1 : 0)}
            />
            <text className={styles.label} x={`${LEFT + (index + 0.5) * wide}%`} y={HEIGHT - 6} textAnchor="middle">
              {bar.label}
            </text>
          </g>
        ))}
      </svg>
      <details className={styles.behind}>
        <summary>Table</summary>
        <table aria-label={title}>
          <thead>
            <tr>
              {heads.map(head => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="num">
            {bars.map(bar => (
              <tr key={bar.name}>
                <th scope="row">{bar.name}</th>
                <td>{textOf(bar.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
