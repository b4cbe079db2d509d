import type { ReactNode } from 'react';
import { NONE } from '~/model/format';
import { type Column, Two } from '~/ui';

/** A column of texts that sorts by them, with a second, quieter line; its title is its id. */
export const textColumn = <Row,>(
  title: string,
  of: (row: Row) => string,
  { sub, ...more }: Partial<Column<Row>> & { sub?: (row: Row) => ReactNode } = {},
): Column<Row> => ({
  id: title,
  title,
  sortBy: of,
  cell: row => <Two sub={sub?.(row)}>{of(row) || NONE}</Two>,
  ...more,
});

/** A column that sorts by a number, such as an instant. */
export const numberColumn = <Row,>(
  title: string,
  of: (row: Row) => number,
  cell: (row: Row) => ReactNode,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ id: title, title, sortBy: of, cell, ...more });

/** What may be done about a row, at its end. */
export const actionsColumn = <Row,>(width: string, cell: (row: Row) => ReactNode): Column<Row> => ({
  id: 'actions',
  title: 'Actions',
  hideTitle: true,
  width,
  align: 'end',
  cell,
});
