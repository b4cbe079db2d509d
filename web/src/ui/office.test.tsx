// @vitest-environment jsdom
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DescriptionList, Progress } from './Office';
import { type Column, sorted, Table } from './Table';

interface Row {
  id: string;
  name: string;
  count: number;
}
const columns: Column<Row>[] = [
  { id: 'name', title: 'Name', cell: row => row.name, sortBy: row => row.name },
  { id: 'count', title: 'Count', cell: row => row.count, sortBy: row => row.count },
  { id: 'actions', title: 'Actions', hideTitle: true, cell: () => <button type="button">Go</button> },
];
const rows: Row[] = [
  { id: '1', name: 'bravo', count: 10 },
  { id: '2', name: 'Alpha', count: 9 },
  { id: '3', name: 'Unit 10', count: 1 },
  { id: '4', name: 'Unit 9', count: 2 },
];

let root: Root;
let page: HTMLElement;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});
const render = (node: ReactNode) => act(async () => root.render(node));
const names = () => [...page.querySelectorAll('tbody tr')].map(row => row.querySelector('td')?.textContent);
const table = (more: Partial<Parameters<typeof Table<Row>>[0]> = {}) => (
  <Table label="Rows" columns={columns} rows={rows} rowKey={row => row.id} empty="nothing" {...more} />
);

describe('Table', () => {
  it('sorts by a press on its head, and the other way by another', async () => {
    await render(table());
    expect(names()).toEqual(['bravo', 'Alpha', 'Unit 10', 'Unit 9']);
    const press = () => act(async () => page.querySelector<HTMLElement>('th button')?.click());
    await press();
    expect(names()).toEqual(['Alpha', 'bravo', 'Unit 9', 'Unit 10']);
    expect(page.querySelector('th')?.getAttribute('aria-sort')).toBe('ascending');
    await press();
    expect(names()).toEqual(['Unit 10', 'Unit 9', 'bravo', 'Alpha']);
    expect(page.querySelector('th')?.getAttribute('aria-sort')).toBe('descending');
  });

  it('compares numbers as numbers', () => {
    expect(sorted(rows, columns, { column: 'count', descending: false }).map(row => row.count)).toEqual([1, 2, 9, 10]);
  });

  it('carries the headings into its cells, for cards', async () => {
    await render(table());
    const titles = [...page.querySelectorAll('tbody tr:first-child td')].map(cell => cell.getAttribute('data-title'));
    expect(titles).toEqual(['Name', 'Count', null]);
    expect(page.querySelector('th:last-child')?.textContent).toBe('Actions');
  });

  it('draws long lists in steps', async () => {
    await render(table({ step: 3 }));
    expect(names()).toHaveLength(3);
    await act(async () => [...page.querySelectorAll('button')].find(b => b.textContent === 'Show 1 more')?.click());
    expect(names()).toHaveLength(4);
  });

  it('stands in for rows that are not there', async () => {
    await render(table({ rows: [] }));
    expect(page.textContent).toBe('nothing');
    await render(table({ rows: undefined }));
    expect(page.querySelector('[aria-busy=true]')).not.toBeNull();
    const retry = vi.fn();
    await render(table({ rows: undefined, error: 'Connection failed.', onRetry: retry }));
    expect(page.querySelector('[role=alert]')?.textContent).toContain('Connection failed.');
    await act(async () => page.querySelector('button')?.click());
    expect(retry).toHaveBeenCalled();
  });

  it('keeps the rows of an earlier answer and says that they may be out of date', async () => {
    const retry = vi.fn();
    await render(table({ error: 'The server is busy. Please try again.', onRetry: retry }));
    expect(names()).toHaveLength(4);
    expect(page.querySelector('[role=status]')?.textContent).toContain('out of date. The server is busy.');
    await act(async () => page.querySelector('button')?.click());
    expect(retry).toHaveBeenCalled();
    await render(table({ rows: [], error: 'The server is busy. Please try again.' }));
    expect(page.textContent).toContain('out of date');
    expect(page.textContent).toContain('nothing');
  });
});

it('shows what is empty as a dash', async () => {
  await render(
    <DescriptionList
      rows={[
        ['Phone', ''],
        ['Address', false],
        ['Keys', 0],
      ]}
    />,
  );
  expect([...page.querySelectorAll('dd')].map(value => value.textContent)).toEqual(['–', '–', '0']);
});

it('says how far something is', async () => {
  await render(<Progress value={0.621} label="In progress" note="12 s left" />);
  expect(page.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')).toBe('62');
  expect(page.textContent).toContain('62 % · 12 s left');
});
