// What somebody looks for on the map: streets and crossings, coordinates, codes and assets, and what is known of a place.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { heard, signIn, until } from './harness';
import { axe, everywhere } from './look';
import { setScene } from './scene';
import { CENTER, findMap, idle, lookAt, middleOffset, openMap, RUNNER, sendUnits, stateOf } from './stage';

const scene = setScene();
beforeAll(() => sendUnits(scene.server));

const box = (page: Page) => page.getByRole('combobox', { name: /^Search the map/ });
const pin = (page: Page) => page.getByRole('region', { name: /^Pin at / });
const CROSSING = { lat: 39.7411662, lng: -75.5507979 };

/** Opens the search box by the keyboard alone. */
async function search(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search the map' }).focus();
  await page.keyboard.press('Enter');
  await box(page).waitFor();
}

// spec: 2.map.06 2.map.08 2.map.10 D.closure.06
describe('by the keyboard alone', () => {
  it('a crossing is found, its pin told and taken away; the menu of the map pins what is here', async () => {
    const page = await openMap(scene);
    await findMap(page);
    await lookAt(page);
    await search(page);
    await page.keyboard.type('market st & 5th');
    const found = page.getByRole('option', { name: /North Market Street & \S+ 5th Street/ }).first();
    await found.waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await found.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await pin(page).getByText('North Market Street &').waitFor();
    await until('the camera over the crossing', async () => (await middleOffset(page, CROSSING)) < 3);
    await pin(page).getByRole('button', { name: 'Copy Plus Code' }).focus();
    await page.keyboard.press('Enter');
    await pin(page).getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^87F6PCRX\+\w{3}$/);
    expect(await pin(page).getByText('what3words').count()).toBe(0);
    await page.keyboard.press('Escape');
    await pin(page).waitFor({ state: 'detached' });

    await idle(page); // a map that still moves closes its menu
    await page.locator('[data-map] canvas').focus();
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu', { name: 'Place on the map' });
    await menu.waitFor();
    const here = menu.getByRole('menuitem', { name: "What's here?" });
    const isOnIt = () => here.evaluate(item => item === document.activeElement);
    for (let i = 0; i < 9 && !(await isOnIt()); i++) await page.keyboard.press('ArrowDown');
    expect(await isOnIt()).toBe(true);
    await page.keyboard.press('Enter');
    await pin(page).waitFor();
    await page.keyboard.press('Escape');
    await pin(page).waitFor({ state: 'detached' });
  });

  it('an asset is opened, a short code is near to what is seen, and what is nowhere is said', async () => {
    const page = await openMap(scene);
    await findMap(page);
    await lookAt(page);
    await search(page);
    await page.keyboard.type('pfrx+fm');
    await page.keyboard.press('Enter');
    await pin(page).getByText('87F6PFRX+FM', { exact: true }).waitFor();
    await box(page).fill('no such street anywhere');
    await heard(page, 'No results found.');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Unable to find location.').waitFor();
    await box(page).fill(RUNNER.name);
    await page.getByRole('option', { name: RUNNER.name }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/dashboard\/things\/[0-9a-f-]{36}/);
    await until('it to be selected', async () => (await stateOf(page)).selected !== null);
  });
});

describe('by a finger', () => {
  it('a long press opens the menu, and a tap pins what is here', async () => {
    const { page } = await scene.open({ size: 'phone', still: true });
    await signIn(page, scene.server);
    await findMap(page);
    await page.evaluate(at => window.map.goTo(at, 16), CENTER);
    await idle(page);
    const touch = await page.context().newCDPSession(page);
    const at = { x: 180, y: 300 };
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
    await page.getByRole('menuitem', { name: "What's here?" }).waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.getByRole('menuitem', { name: "What's here?" }).tap();
    await pin(page).waitFor();
    // The sheet makes room: the card stands beside the pin, not over it.
    await until('the pin to be in sight', async () => {
      const [mark, card] = await Promise.all([
        page.locator('[data-map] .lucide-map-pin').boundingBox(),
        pin(page).boundingBox(),
      ]);
      return mark && card && (mark.y >= card.y + card.height || mark.y + mark.height <= card.y);
    });
    // Nothing lies over what can be copied.
    for (const name of ['Copy Coordinates', 'Copy Plus Code']) {
      await pin(page).getByRole('button', { name, exact: true }).tap({ trial: true });
    }
    await pin(page).getByRole('button', { name: 'Remove pin' }).tap();
    await pin(page).waitFor({ state: 'detached' });
  });
});

describe('what it looks like', () => {
  for (const names of [['desktop', 'tablet'], ['phone']] as const) {
    it(`on a ${names.join(' and a ')}, in both themes, is read by everybody`, async () => {
      const { page } = await scene.open({ size: names[0], still: true });
      await page.addInitScript({ path: axe });
      await page.route('**/api/map/config', async route => {
        const response = await route.fetch();
        const body = await response.json();
        body.data.what3words = true;
        await route.fulfill({ response, json: body });
      });
      await signIn(page, scene.server);
      await findMap(page);
      await page.evaluate(at => window.map.goTo(at, 16), CROSSING);
      await idle(page);
      await page.evaluate(at => window.map.pinPlace(at), CROSSING);
      await pin(page).getByText('what3words not found...').waitFor();
      expect(await everywhere(page, names, 'map-pin')).toEqual([]);
      await page.evaluate(() => window.map.find(null)); // on a phone the suggestions would lie over it
      await page.evaluate(() => window.map.toggleFinder());
      await box(page).fill('market st');
      await page.getByRole('option').first().waitFor();
      expect(await everywhere(page, names, 'map-search')).toEqual([]);
    });
  }
});
