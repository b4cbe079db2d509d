import enums from '@catalog/enums.json';
import type { Schemas } from '~/api';
import { countText, NONE } from '~/model/format';
import { lengthText, type MonthlyFigures, partText } from '~/model/monthlyReport';
import { numberColumn, textColumn } from '~/office';
import { type Column, EmptyState, Table } from '~/ui';
import styles from './reports.module.css';

const figure = <Row,>(title: string, of: (row: Row) => number, text: (row: Row) => string): Column<Row> =>
  numberColumn(
    title,
    row => -of(row),
    row => <span className="num">{text(row)}</span>,
    { align: 'end', width: '18%' },
  );

const count = <Row,>(title: string, of: (row: Row) => number): Column<Row> =>
  figure(title, of, row => countText(of(row)));

/** What a type of assets is called; its name where we have none. */
export const typeText = (name: string): string =>
  enums.thingTypes.find(one => one.name === name)?.displayName ?? (name || NONE);

const types: readonly Column<Schemas['MonthlyType']>[] = [
  textColumn('Type', row => typeText(row.type)),
  count('Assets', row => row.total),
  count('In service', row => row.in_service),
];

export const impactText = (name: string): string =>
  enums.vehicleImpacts.find(one => one.name === name)?.displayName ?? (name || NONE);

const impacts: readonly Column<Schemas['MonthlyImpact']>[] = [
  textColumn('Impact on vehicles', row => impactText(row.impact)),
  count('Closures', row => row.total),
  figure(
    'Closure time',
    row => row.active_ms,
    row => lengthText(row.active_ms),
  ),
];

const consumers: readonly Column<Schemas['MonthlyConsumer']>[] = [
  textColumn('Consumer', row => row.name || 'Readers without a key'),
  count('Requests', row => row.requests),
  count('On days', row => row.days),
];

const stations: readonly Column<Schemas['MonthlyStation']>[] = [
  textColumn('Station', row => row.name),
  figure(
    'Cover',
    row => row.covered_ms / Math.max(row.of_ms, 1),
    row => partText(row.covered_ms, row.of_ms),
  ),
  figure(
    'Not covered',
    row => row.of_ms - row.covered_ms,
    row => lengthText(row.of_ms - row.covered_ms),
  ),
  count('Visits', row => row.visits),
];

/** What a section has beside its figures: its parts by type, impact, consumer or station. */
export function Parts({ section, figures }: { section: string; figures: MonthlyFigures }) {
  switch (section) {
    case 'assets':
      return <Part title="By type" columns={types} rows={figures.assets.by_type} keyOf={row => row.type} />;
    case 'closures':
      return <Part title="By impact" columns={impacts} rows={figures.closures.by_impact} keyOf={row => row.impact} />;
    case 'feeds':
      return <Part title="By consumer" columns={consumers} rows={figures.feeds.consumers} keyOf={row => row.name} />;
    case 'stations':
      return <Part title="By station" columns={stations} rows={figures.stations.rows} keyOf={row => row.area_id} />;
    default:
      return null;
  }
}

interface PartProps<Row> {
  title: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

function Part<Row>({ title, columns, rows, keyOf }: PartProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      <Table label={title} columns={columns} rows={rows} rowKey={keyOf} step={20} empty={<EmptyState title={NONE} />} />
    </div>
  );
}
