// The form of a closure on the binary that ships, beside the drawing of its line: nights, words, overlaps, readers of feeds, boards, keys alone.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { client, heard, ingest, mapReady, register, signIn, until } from './harness';
import { axe, everywhere } from './look';
import { setScene } from './scene';
import { findMap } from './stage';

const scene = setScene();
const PATH = '/organization/closure';
/** What is described is laid along the region's streets. */
const hasRoads = inject('map') !== undefined;
const DAY_MS = 86_400_000;
/** The organization's. */
const ZONE = 'America/New_York';

interface Row {
  id: string;
  description: string;
  road_name: string;
  direction: string;
  status: string;
  is_active: boolean;
  recurrence: { except: string[] } | null;
  user_route: unknown[];
  consumers: { name: string; known_at: string | null }[];
  thing: { id: string } | null;
}

let page: Page;

const kept = async (description: string): Promise<Row> => {
  const row = (await (await client(scene.server)).get<Row[]>(PATH)).find(one => one.description === description);
  if (!row) throw new Error(`no closure ${description}`);
  return row;
};

const form = () => page.getByRole('form', { name: /Closure/ });
const field = (name: string) => form().getByRole('textbox', { name, exact: true });
const choose = (name: string) => form().getByRole('radio', { name, exact: true }).click();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const detail = () => page.getByRole('article', { name: 'Closure' });

/** How it is done comes first, until it is not wanted again. */
async function knowInstructions(): Promise<void> {
  await page.getByRole('dialog', { name: 'How to draw a closure' }).waitFor();
  await page.getByText("Don't show again").click();
  await press('OK');
}

let isFirst: boolean;

/** The form of a new closure by its address. */
async function openNew(size: 'desktop' | 'phone', description: string): Promise<void> {
  await page.goto(`${scene.server.url}/dashboard/closures/new`);
  await mapReady(page);
  if (size === 'phone') await press('All Fields');
  if (isFirst) await knowInstructions();
  isFirst = false;
  await field('Description').fill(description);
}

/** Describes the line; it is laid by Enter. */
async function lay(text: string, label: string): Promise<void> {
  await field('Road and Limits').fill(text);
  await form().getByText(`Press Enter for ${label}.`).waitFor();
  await field('Road and Limits').press('Enter');
  await form()
    .getByText(/^2 points, /)
    .waitFor();
}

const add = async () => {
  await press('Add');
  await heard(page, 'Closure added');
};

/** The coming weekday, today too, and those after it, as 2026-11-23. */
function weekdays(): string[] {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(new Date());
  const days = [0, 1, 2, 3, 4, 5, 6].map(n => new Date(Date.parse(`${today}T12:00Z`) + n * DAY_MS));
  return days.filter(day => day.getUTCDay() % 6 !== 0).map(day => day.toISOString().slice(0, 10));
}

/** "Mon 23-Nov" of 2026-11-23. */
const said = (day: string) =>
  new Date(`${day}T12:00Z`)
    .toLocaleDateString('en-US', { timeZone: 'UTC', weekday: 'short', day: '2-digit', month: 'short' })
    .replace(/^(\w+), (\w+) (\d+)$/, '$1 $3-$2');

/** How many stretches are pointed out on the map. */
const marked = () =>
  page.evaluate(async () => {
    const source = window.map.engineMap()?.getSource('app-marked') as unknown as { getData(): Promise<unknown> };
    return ((await source.getData()) as { features: unknown[] }).features.length;
  });

const BOARD = 'HA7-09001';

/** What the organization has in these streets already: one that stands, and one of the nights of working days. */
const HERE: readonly object[] = [
  {
    description: 'Water main repair',
    direction: 'N',
    road_name: 'North Walnut Street',
    user_route: [
      { lat: 39.743556, lng: -75.5456777 },
      { lat: 39.7453615, lng: -75.5444493 },
      { lat: 39.7478935, lng: -75.5427392 },
    ],
    is_active: true,
    end_time: new Date(Date.now() + DAY_MS / 4).toISOString(),
  },
  {
    description: 'Night paving',
    direction: 'E',
    road_name: 'Maryland Avenue',
    user_route: [
      { lat: 39.7366172, lng: -75.569133 },
      { lat: 39.7387028, lng: -75.5638785 },
      { lat: 39.7405082, lng: -75.5592967 },
    ],
    recurrence: {
      days: [1, 2, 3, 4, 5],
      start: '21:00',
      minutes: 480,
      from: new Date().toISOString().slice(0, 10),
      until: new Date(Date.now() + 28 * DAY_MS).toISOString().slice(0, 10),
      except: [],
      timezone: ZONE,
    },
  },
];

beforeAll(async () => {
  const { post } = await client(scene.server);
  for (const closure of HERE) await post(PATH, closure);
  // So many that one looks for the right one.
  const boards = [BOARD, ...Array.from({ length: 6 }, (_, i) => `HA7-0901${i}`)];
  const nickname = (i: number) => (i === 0 ? 'Board North' : `Board ${i}`);
  await register(
    scene.server,
    boards.map((haas_id, i) => ({ haas_id, thing_type: 'arrow_board', nickname: nickname(i) })),
  );
  const at = new Date().toISOString();
  await ingest(
    scene.server,
    boards.map((asset, i) => ({ type: 'point', asset, at, lat: 39.7444 + i * 0.004, lng: -75.5451, accuracy: 4 })),
  );
});

describe.runIf(hasRoads).each(['desktop', 'phone'] as const)('on a %s', size => {
  /** What a phone does as a desk does is walked through at the desk. */
  const atDesk = it.runIf(size === 'desktop');
  const onPhone = it.runIf(size === 'phone');
  const name = (text: string) => `${text}, ${size}`;
  const looks = (screen: string) => everywhere(page, [size], `closure-${screen}`);

  beforeAll(async () => {
    ({ page } = await scene.openForAll({ size, still: true }));
    isFirst = true;
    await page.addInitScript({ path: axe });
    await signIn(page, scene.server, 'admin', 'closures');
  });
  afterAll(() => page.context().close());

  // spec: 4.form.03 5.closure.01
  atDesk(
    'nights are made, named before they are saved, and one is left out, taken back and left out again',
    async () => {
      await openNew(size, name('Night work'));
      // By its address, too, the map is there to draw on.
      await findMap(page, []);
      await until('the map to be uncovered', () => page.evaluate(() => !window.map.getState().expectsPlace));
      await choose('Scheduled');
      await choose('Repeats');
      const [first = '', second = '', third = '', fourth = ''] = weekdays();
      await form()
        .getByLabel('Last Day')
        .fill(new Date(Date.now() + 20 * DAY_MS).toISOString().slice(0, 10));
      const next = form().getByRole('status').filter({ hasText: 'Next:' }).getByRole('listitem');
      const comes = (days: string[]) =>
        until(`${days} to be next`, async () => {
          const texts = await next.allTextContents();
          return texts.length === 3 && days.every((day, i) => texts[i] === `${said(day)} 9:00 PM to 5:00 AM`);
        });
      await comes([first, second, third]);
      const leaveOut = async () => {
        await form().getByLabel('Skip a Date').fill(second);
        await press('Skip');
        await comes([first, third, fourth]);
      };
      await leaveOut();
      expect(await looks('nights')).toEqual([]);
      await form()
        .getByRole('button', { name: /^Don't skip / })
        .click();
      await comes([first, second, third]);
      await leaveOut();
      await lay(
        'Maryland Avenue from Cedar Street to South Madison Street',
        'Maryland Avenue E, Cedar Street to South Madison Street',
      );
      await form().getByText('Overlaps Night paving').waitFor();
      await add();
      expect((await kept(name('Night work'))).recurrence?.except).toEqual([second]);
      await detail()
        .getByText(`${said(third)} 9:00 PM to 5:00 AM`)
        .waitFor();
      expect(
        await detail()
          .getByText(`${said(second)} 9:00 PM`)
          .count(),
      ).toBe(0);
    },
  );

  // spec: 5.closure.08 5.closure.09 D.closure.02
  atDesk('an overlap and what the feeds miss are seen while it is written, and who reads it afterwards', async () => {
    await openNew(size, name('Gas main'));
    await findMap(page, []);
    await press('4 h');
    await lay(
      'North Walnut Street N from East 10th Street to East 13th Street',
      'North Walnut Street N, East 10th Street to East 13th Street',
    );
    await form()
      .getByText(/Overlaps Water main repair of Wilmington Fire Dept for /)
      .waitFor();
    await until('its stretch on the map', async () => (await marked()) > 0);
    await choose('Inactive');
    await until('no stretch of one that does not stand', async () => (await marked()) === 0);
    await choose('Active');
    await form()
      .getByText(/Overlaps Water main repair/)
      .waitFor();

    await form().getByText('Publish to Work Zone Feeds').click();
    await form().getByText('To publish it, add its location method and vehicle impact.').waitFor();
    expect(await field('Feed ID').inputValue()).toMatch(/\d$/); // proposed
    await field('Feed ID').fill(`WFD-${size}`);
    await pick('Vehicle Impact', 'All Lanes Closed');
    await pick('Location Method', 'Sign');
    await form()
      .getByText(/^Ready for Waze, WZDx 4.2, CWZ 1.0/)
      .waitFor();
    await field('Feed ID').fill('');
    await form().getByText('To publish it, add its feed id.').waitFor();
    expect(await looks('withheld')).toEqual([]);
    await field('Feed ID').fill(`WFD-${size}`);
    // Nobody has to say the road's name: the server takes it from the map.
    await field('Road Name').fill('');
    await form()
      .getByText(/^Ready for Waze/)
      .waitFor();
    await field('Road Name').fill('Walnut St');
    await form()
      .getByText(/^Ready for Waze/)
      .waitFor();
    const preview = form().getByRole('region', { name: 'How feed readers show it' });
    const shown = { Waze: 'Road closed: construction', 'WZDx 4.2': 'All Lanes Closed', 'CWZ 1.0': 'All Lanes Closed' };
    for (const [reader, kind] of Object.entries(shown)) {
      await choose(reader);
      await preview.getByText(kind).waitFor();
      await preview.getByText('Walnut St', { exact: true }).waitFor();
    }
    expect(await looks('preview')).toEqual([]);
    await add();

    await detail().getByText('In the feeds as active').waitFor();
    await detail().getByText('Not fetched since the last change').waitFor();
    const { url, organization, key } = scene.server;
    const answer = await fetch(`${url}/feeds/${organization}/cifs.json?key=${key}`);
    expect(await answer.text()).toContain('Walnut St');
    await until('the fetch to be noted', async () => (await kept(name('Gas main'))).consumers[0]?.known_at !== null);
    await page.reload();
    await detail()
      .getByText(/^Known since \d+:\d\d [AP]M$/)
      .waitFor();
    expect(await looks('known')).toEqual([]);
  });

  onPhone('a line is described, chosen among those that are meant, taken back, and saved', async () => {
    await openNew(size, name('Lancaster'));
    await press('1 h');
    await field('Road and Limits').fill('Lancaster Avenue from Union Street to Lincoln Street');
    const meant = form().getByRole('group', { name: 'Which one?' }).getByRole('button');
    await until('two lines to choose from', async () => (await meant.count()) === 2);
    expect(await looks('described')).toEqual([]);
    await meant.first().click();
    await form()
      .getByText(/^2 points, /)
      .waitFor();
    expect(await field('Road Name').inputValue()).toBe('Lancaster Avenue');
    await form().getByRole('button', { name: 'Undo', exact: true }).click();
    await form().getByText('Nothing is drawn yet.').waitFor();
    expect(await field('Road Name').inputValue()).toBe('');
    await field('Road and Limits').fill('Lancaster Avenue from Union Street to Lincoln Street');
    await meant.nth(1).click();
    await form()
      .getByText(/^2 points, /)
      .waitFor();
    await add();
    expect(await kept(name('Lancaster'))).toMatchObject({
      road_name: 'Lancaster Avenue',
      direction: 'E',
      is_active: true,
    });
  });

  // spec: 4.closure.03 4.closure.04
  atDesk('a board drives one: it stands while the board is on', async () => {
    await openNew(size, name('Patching'));
    await choose('Automated');
    expect(await form().getByRole('radio', { name: 'Scheduled' }).count()).toBe(0);
    const board = form().getByRole('button', { name: /Board North/ });
    const search = () => form().getByRole('searchbox', { name: 'Search for an arrow board' }).fill('North');
    await search();
    await board.click();
    await lay(
      'North Walnut Street N from East 10th Street to East 13th Street',
      'North Walnut Street N, East 10th Street to East 13th Street',
    );
    expect(await looks('board')).toEqual([]);
    await add();
    await detail().getByText('Driven by Board North').waitFor();
    const turn = (active: boolean) =>
      ingest(scene.server, [{ type: 'closure', asset: BOARD, at: new Date().toISOString(), active }]);
    await turn(true);
    await detail().getByText('Active', { exact: true }).waitFor();
    await detail()
      .getByText(/estimated/)
      .waitFor();
    await turn(false);
    await detail()
      .getByText(/board turned off/)
      .waitFor();
    await openNew(size, 'Second');
    await choose('Automated');
    await search();
    await board.getByText(`Already drives “${name('Patching')}”`).waitFor();
    expect(await board.isDisabled()).toBe(true);
    await (await client(scene.server)).remove(`${PATH}/${(await kept(name('Patching'))).id}`);
    await until('the board to be free', () => board.isEnabled());
  });
});

/** Chooses from the select with a label. */
async function pick(label: string, option: string): Promise<void> {
  await form()
    .getByRole('button', { name: new RegExp(`${label}$`) })
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Presses Tab until the focus is there. */
async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    if (await target.evaluate(e => e === document.activeElement).catch(() => false)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`no way there by ${key}`);
}

// spec: 2.closures.01 4.toggle.01
it.runIf(hasRoads)('by keys alone one is made, edited and ended', async () => {
  ({ page } = await scene.open({ still: true }));
  await signIn(page, scene.server, 'admin', 'closures/new');
  await page.getByRole('dialog', { name: 'How to draw a closure' }).waitFor();
  await page.keyboard.press('Escape');
  await tabTo(form().getByRole('button', { name: '1 h', exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(field('Description'));
  await page.keyboard.type('By keys');
  await tabTo(field('Road and Limits'));
  await page.keyboard.type('North King Street from East 10th Street to East 12th Street');
  await form()
    .getByText(/^Press Enter for /)
    .waitFor();
  await page.keyboard.press('Enter');
  await form()
    .getByText(/^2 points, /)
    .waitFor();
  await tabTo(page.getByRole('button', { name: 'Add', exact: true }));
  await page.keyboard.press('Enter');
  await heard(page, 'Closure added');
  await tabTo(page.getByRole('link', { name: 'Edit Closure' }));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'How to draw a closure' }).waitFor();
  await page.keyboard.press('Escape');
  await tabTo(field('Alert Message'));
  await page.keyboard.type('Left lane closed');
  await tabTo(page.getByRole('button', { name: 'Save', exact: true }));
  await page.keyboard.press('Enter');
  await heard(page, 'Closure saved');
  await tabTo(detail().getByRole('switch', { name: 'Active' }));
  await page.keyboard.press('Space');
  await detail()
    .getByText(/^Ended by you at /)
    .waitFor();
  expect((await kept('By keys')).is_active).toBe(false);
});
