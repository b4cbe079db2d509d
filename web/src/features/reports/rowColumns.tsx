import type { Schemas } from '~/api';
import { countText, distanceText, NONE, type SpeedUnit } from '~/model/format';
import { instantOf } from '~/model/instant';
import { lengthText, type MonthlyReport, momentText, partText } from '~/model/monthlyReport';
import { tripParams } from '~/model/trip';
import { pathsOf } from '~/section/paths';
import { type Column, Named, Two } from '~/ui';
import { impactText, typeText } from './Parts';
import type { RowOf } from './queries';
import { RowLink } from './RowLink';
import styles from './reports.module.css';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What rows are shown by: whose report it is, where its times are, its units. */
export interface RowWords {
  report: Pick<MonthlyReport, 'organization_id' | 'time_zone'>;
  unit: SpeedUnit;
}

type Columns<Of extends keyof RowOf> = (words: RowWords) => readonly Column<RowOf[Of]>[];

const plain = <Row,>(title: string, cell: Column<Row>['cell'], width?: string): Column<Row> => ({
  id: title,
  title,
  cell,
  ...(width ? { width } : {}),
});

const number = <Row,>(title: string, text: (row: Row) => string, width = '11%'): Column<Row> => ({
  id: title,
  title,
  width,
  align: 'end',
  cell: row => <span className="num">{text(row)}</span>,
});

const assets: Columns<'assets'> = ({ report, unit }) => [
  plain('Asset', row => (
    <Named sub={`${typeText(row.type)}${row.in_service ? '' : ' · out of service'}`}>
      <RowLink
        path={pathsOf('things').detail(row.thing_id)}
        needs="VIEW_THINGS"
        organizationId={report.organization_id}
      >
        {row.name || NONE}
      </RowLink>
    </Named>
  )),
  number('Runs', row => countText(row.runs), '7%'),
  number('In runs', row => distanceText(unit, row.run_distance_m), '10%'),
  number('Outside', row => distanceText(unit, row.other_distance_m), '10%'),
  number('Lights on', row => lengthText(row.alerting_ms)),
  number('Positions', row => countText(row.points), '10%'),
  number('Complete', row => partText(row.covered_ms, row.of_ms), '10%'),
  number('Silent days', row => countText(row.silent_days), '10%'),
  number('Refused', row => (row.refused === null ? 'not counted' : countText(row.refused)), '10%'),
];

const lengthOf = (ms: number | null) => (ms === null ? NONE : lengthText(ms));

/** A line for each stay. */
const linesOf = (stays: readonly Schemas['MonthlyStay'][], of: (stay: Schemas['MonthlyStay']) => string) => (
  <span className={styles.lines}>{stays.map(of).join('\n') || NONE}</span>
);

const lines = (title: string, of: (stay: Schemas['MonthlyStay']) => string): Column<RowOf['incidents']> => ({
  id: title,
  title,
  width: '13%',
  align: 'end',
  cell: row => <div className="num">{linesOf(row.stays, of)}</div>,
});

const incidents: Columns<'incidents'> = ({ report }) => [
  plain('Incident', row => (
    <Named sub={row.street}>
      <RowLink
        path={pathsOf('events').detail(row.location_id)}
        needs="VIEW_EVENTS"
        organizationId={report.organization_id}
      >
        {row.name || NONE}
      </RowLink>
    </Named>
  )),
  plain(
    'Began',
    row => (
      <Two sub={row.end_at ? lengthText(instantOf(row.end_at) - instantOf(row.start_at)) : 'Not ended'}>
        <span className="num">{momentText(row.start_at, report.time_zone)}</span>
      </Two>
    ),
    '25%',
  ),
  plain('Assets', row => linesOf(row.stays, stay => stay.name || NONE), '20%'),
  lines('To scene', stay => lengthOf(stay.to_scene_ms)),
  lines('On scene', stay => lengthOf(stay.on_scene_ms)),
];

/** The trip of a run, in the stretch of time in which it is found. */
function tripPath(row: RowOf['runs']): string {
  const from = Math.floor(instantOf(row.start_at) / MINUTE) * MINUTE;
  const to = Math.min(Math.ceil(instantOf(row.end_at) / MINUTE) * MINUTE + MINUTE, from + DAY);
  const said = new URLSearchParams(tripParams({ things: [row.thing_id], from, to }) as Record<string, string>);
  return `${pathsOf('trips').detail(row.thing_id)}/${encodeURIComponent(row.run_id)}?${said}`;
}

const runs: Columns<'runs'> = ({ report, unit }) => [
  plain('Started', row => (
    <Named>
      <RowLink path={tripPath(row)} needs="VIEW_TRIPS" organizationId={report.organization_id}>
        {momentText(row.start_at, report.time_zone)}
      </RowLink>
    </Named>
  )),
  plain('Asset', row => row.name || NONE, '26%'),
  number('Length', row => lengthText(instantOf(row.end_at) - instantOf(row.start_at)), '16%'),
  number('Distance', row => distanceText(unit, row.distance_m), '14%'),
  number('Lights on', row => lengthText(row.alerting_ms), '14%'),
];

/** What was done, or not done, about a closure in the month. */
const toldText = ({ confirmed, expired }: RowOf['closures']) =>
  [confirmed && 'Confirmed', expired && 'Expired'].filter(Boolean).join(', ') || NONE;

const closures: Columns<'closures'> = ({ report }) => [
  plain('Closure', row => (
    <Named sub={row.road_name}>
      <RowLink
        path={pathsOf('closures').detail(row.closure_id)}
        needs="VIEW_CLOSURES"
        organizationId={report.organization_id}
      >
        {row.name || NONE}
      </RowLink>
    </Named>
  )),
  plain('Impact', row => impactText(row.impact), '16%'),
  plain(
    'Active since',
    row => (
      <Two sub={row.end_at ? `Until ${momentText(row.end_at, report.time_zone)}` : 'Not ended'}>
        <span className="num">{momentText(row.start_at, report.time_zone)}</span>
      </Two>
    ),
    '25%',
  ),
  number('In the month', row => lengthText(row.active_ms), '13%'),
  number('Published', row => lengthText(row.published_ms), '13%'),
  plain('Told', row => toldText(row), '11%'),
];

export const rowColumns = { assets, incidents, runs, closures };
