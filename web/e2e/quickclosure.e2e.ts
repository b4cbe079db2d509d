// A closure in a few taps on a phone, on the binary that ships: it starts at what is marked, and tells what it overlaps.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { client, heard, mapReady, signIn, until } from './harness';
import { setScene } from './scene';
import { CENTER, findMap, sendUnits } from './stage';

const scene = setScene();
const PATH = '/organization/closure';
const PHONES = {
  upright: { width: 390, height: 844 },
  small: { width: 320, height: 568 },
  aside: { width: 740, height: 360 },
};

let page: Page;

beforeAll(() => sendUnits(scene.server));

/** Where the lines that were asked for start. */
let starts: { lat: number; lng: number }[];

async function atClosures(): Promise<void> {
  ({ page } = await scene.open({ still: true, size: 'phone', touch: true }));
  starts = [];
  page.on('request', request => {
    if (request.url().endsWith('/directions')) starts.push(request.postDataJSON().waypoints[0]);
  });
  await signIn(page, scene.server, 'admin', 'closures');
  await mapReady(page);
  await findMap(page);
}

/** Looks for coordinates on the map, as for a street. */
async function lookFor({ lat, lng }: { lat: number; lng: number }): Promise<void> {
  const field = page.getByRole('combobox', { name: /^Search the map:/ });
  await page.getByRole('button', { name: 'Search the map', exact: true }).tap();
  await field.fill(`${lat}, ${lng}`);
  await field.press('Enter');
  await until('the pin stands', () => page.evaluate(() => window.map.getState().found !== null));
}

const choice = (group: string, name: string | RegExp) =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name });
const isChosen = (group: string, name: string) =>
  choice(group, name).and(page.locator('[aria-checked=true], :checked')).waitFor();

/** Brings the sheet to a stop by its keys. */
async function rest(stop: string): Promise<void> {
  await page.getByRole('button', { name: 'Resize panel' }).focus();
  if ((await page.locator(`[data-stop=${stop}]`).count()) > 0) return;
  await page.keyboard.press(stop === 'peek' ? 'ArrowDown' : 'ArrowUp');
  await page.locator(`[data-stop=${stop}]`).waitFor();
}

/** The place under the middle of the cross. */
const aimed = () =>
  page.evaluate(() => {
    const map = window.map.engineMap();
    const cross = document.querySelector('[data-aim]')?.getBoundingClientRect();
    const stage = map?.getContainer().getBoundingClientRect();
    if (!map || !cross || !stage) return null;
    const at: [number, number] = [cross.x + cross.width / 2 - stage.x, cross.y + cross.height / 2 - stage.y];
    const sheet = document.querySelector('[data-stop]')?.getBoundingClientRect();
    const { lat, lng } = map.unproject(at);
    return { lat, lng, isSeen: !sheet || at[1] + stage.y < sheet.top };
  });
/** What has less room in the form than it needs: the next line lies on it. */
const squeezed = () =>
  page
    .getByRole('region', { name: 'Add Closure' })
    .locator('p')
    .evaluateAll(lines => lines.filter(e => e.scrollHeight > e.clientHeight + 1).map(e => e.textContent));
const drawn = () => page.evaluate(() => window.map.desk.open.get()?.state.get().guide[0]);
const isNear = (a: { lat: number; lng: number } | undefined, b: { lat: number; lng: number }, by = 2e-5) =>
  a !== undefined && Math.abs(a.lat - b.lat) < by && Math.abs(a.lng - b.lng) < by;

it('starts at the pin of what was looked for, or under the cross, wherever the sheet rests', {
  timeout: 400_000,
}, async () => {
  await atClosures();
  await lookFor(CENTER);
  await page.getByRole('button', { name: '+ Add' }).tap();
  await isChosen('Where it starts', 'Pin');
  await until('the line starts at the pin', async () => isNear(starts.at(-1), CENTER));
  await until(
    'the card of the pin is gone',
    async () => (await page.getByRole('region', { name: /^Pin at/ }).count()) === 0,
  );
  await until('the form is in sight', async () => (await page.locator('[data-stop=half]').count()) === 1);
  await choice('Where it starts', 'Center of the map').tap();
  for (const size of Object.values(PHONES)) {
    await page.setViewportSize(size);
    for (const stop of ['half', 'peek']) {
      await rest(stop);
      await until(`the line starts under the cross, ${size.width} px, ${stop}`, async () => {
        const cross = await aimed();
        const line = await drawn();
        // The road begins beside the cross: what was asked for before is not asked for again.
        return cross?.isSeen === true && starts.some(one => isNear(one, cross)) && isNear(line, cross, 1e-3);
      });
      expect(await squeezed()).toEqual([]);
    }
  }
});

it('tells what it overlaps, and opens it', { timeout: 400_000 }, async () => {
  const api = await client(scene.server);
  const add = async () => {
    await atClosures();
    await lookFor(CENTER);
    await page.getByRole('button', { name: '+ Add' }).tap();
    await isChosen('Where it starts', 'Pin');
    await choice('Direction of traffic', /bound$/)
      .first()
      .tap();
  };
  await add();
  await page.getByRole('button', { name: 'Activate' }).tap();
  await heard(page, 'Closure added');
  const [first] = (await api.get<{ id: string; description: string }[]>(PATH)).filter(one =>
    /^(Closure on|Road closure)/.test(one.description),
  );
  if (!first) throw new Error('nothing was added');
  await add();
  await page.getByText(`Overlaps “${first.description}”`).waitFor();
  await page.getByRole('button', { name: 'Add Anyway' }).waitFor();
  await page.getByRole('button', { name: 'Open It' }).tap();
  await page.waitForURL(new RegExp(`/closures/${first.id}$`));
  await api.remove(`${PATH}/${first.id}`);
});
