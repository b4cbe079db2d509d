// What people ask of devices, on the real server: test alerts, test mode, the intensity of lights; and a device that answers, or does not.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { heard, ingest, type openTab, register, row, signIn, until } from './harness';
import { HOME, point } from './journey';
import { axe, both, everywhere } from './look';
import { setScene } from './scene';

const scene = setScene();

/** System names, and how people call them. */
const UNITS = [
  ['HA7-05001', 'Command Engine', 'fire', 'ha7'],
  ['HA7-05002', 'Command Silent', 'fire', 'ha7'],
  ['HA7-05003', 'Command Phone', 'fire', 'ha7'],
  ['HA5-05004', 'Command Lights', 'police', 'ha5'],
  ['HA7-05005', 'Command Running', 'fire', 'ha7'],
  ['HA5-05006', 'Command Tow', 'tow', 'ha5'],
  ['APP-05007', 'Command App', 'fire', 'api'],
] as const;
const [ENGINE, SILENT, PHONE, LIGHTS, RUNNING, TOW, APP] = UNITS.map(([, name]) => name) as [string, ...string[]] as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

const WORDS = { delivered: 'Alert Delivered', undelivered: 'Alert Not Delivered' };
const LIGHTS_ON = 'Please activate emergency lights to send a test alert to your R2R indicator.';

beforeAll(async () => {
  await register(
    scene.server,
    UNITS.map(([haas_id, nickname, thing_type, device_type]) => ({ haas_id, nickname, thing_type, device_type })),
  );
  await report();
});

/** All of them stand, but for the one that is on its way with its lights on. */
const report = () =>
  ingest(
    scene.server,
    UNITS.map(([name, called], i) =>
      point(name, 0, {
        lat: HOME.lat + i * 0.002,
        ...(called === RUNNING && { speed: 15, course: 90, alerting: true }),
      }),
    ),
  );

interface Order {
  id: string;
  type: string;
  value: string | null;
}

/** The device of an asset as docs/ingest.md has it: it waits for what is asked of it, does it once, and says so. */
async function device(called: string) {
  const name = UNITS.find(unit => unit[1] === called)?.[0] ?? '';
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${scene.server.key}` };
  const path = `${scene.server.url}/api/ingest/commands`;
  const next = async (): Promise<Order> =>
    until(`a command for ${called}`, async () => {
      const response = await fetch(`${path}?asset=${name}&wait=20`, { headers });
      if (!response.ok) throw new Error(`commands: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { data: Order[] }).data[0];
    });
  const say = async ({ id }: Order, status: 'delivered' | 'failed', message = '') => {
    const body = JSON.stringify({ at: new Date().toISOString(), status, ...(message && { message }) });
    const response = await fetch(`${path}/${id}`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`acknowledge: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: { status: string } }).data.status;
  };
  return { next, say };
}

/** Somebody at the detail of an asset. */
async function at(
  called: string,
  role: Parameters<typeof signIn>[2],
  options: Parameters<typeof openTab>[1] = {},
): Promise<{ page: Page; detail: Locator }> {
  const { page } = await scene.open({ still: true, ...options });
  await page.addInitScript({ path: axe });
  await signIn(page, scene.server, role);
  await row(page, called).click();
  const detail = page.getByRole('article', { name: 'Asset' });
  await detail.getByRole('heading', { name: called }).waitFor();
  return { page, detail };
}

const press = (detail: Locator, name: string) => detail.getByRole('button', { name, exact: true }).click();
const tagOf = (page: Page, called: string) => row(page, called).getByText('Test Mode', { exact: true });

// spec: 1.feat.05 1.feat.06 4.test.01 4.test.02 8.asset.09 8.asset.11
it('an officer sends a test alert, the device says so, and another browser sees test mode come and go', {
  timeout: 300_000,
}, async () => {
  const { page: second } = await scene.open({ still: true });
  await second.addInitScript({ path: axe });
  await signIn(second, scene.server, 'viewer');
  await row(second, ENGINE).waitFor();
  const unit = await device(ENGINE);
  const { page, detail } = await at(ENGINE, 'operator');
  const sizes = ['desktop', 'tablet'] as const;
  await detail.getByText('No commands yet.').waitFor();
  const found = await everywhere(page, sizes, 'r2r');
  await press(detail, 'Send Test Alert');
  await detail.getByText('Sending…').waitFor();
  await tagOf(second, ENGINE).waitFor();
  const alert = await unit.next();
  expect(alert).toMatchObject({ type: 'r2r_test', value: null });
  expect(await detail.getByText(WORDS.delivered).count()).toBe(0);
  expect(await unit.say(alert, 'delivered')).toBe('delivered');
  await detail.getByText(WORDS.delivered, { exact: true }).waitFor();
  await detail.getByText(LIGHTS_ON).waitFor();
  await detail.getByText('Test Mode', { exact: true }).waitFor();
  found.push(...(await everywhere(page, sizes, 'r2r-delivered')));
  found.push(...(await both(second, 'desktop', 'r2r-list')));
  await heard(page, WORDS.delivered);
  await detail.getByText(WORDS.delivered, { exact: true }).waitFor({ state: 'detached' });
  await detail.getByText('Test alert', { exact: true }).waitFor();

  await press(detail, 'Turn Off Test Mode');
  await until('the other to see it end', async () => (await tagOf(second, ENGINE).count()) === 0);
  const off = await unit.next();
  expect(off).toMatchObject({ type: 'test_mode', value: 'off' });
  await unit.say(off, 'delivered');
  await detail.getByText('Test Mode: Off').waitFor();
  await until('both to be delivered', async () => (await detail.getByText('Delivered', { exact: true }).count()) === 2);
  await detail.getByRole('button', { name: 'Send Test Alert' }).waitFor();
  await page.reload();
  await detail.getByText('Test Mode: Off').waitFor();
  expect(await detail.getByText('Delivered', { exact: true }).count()).toBe(2);
  expect(await detail.getByText('Test Mode', { exact: true }).count()).toBe(0);
  expect(found).toEqual([]);
});

// spec: 8.asset.09 9.session.05
it('a device that says nothing has not delivered after 10 s; what it says later counts, and then goes', {
  timeout: 300_000,
}, async () => {
  const unit = await device(SILENT);
  const { page, detail } = await at(SILENT, 'operator');
  await press(detail, 'Send Test Alert');
  const pressed = Date.now();
  await detail.getByText(WORDS.undelivered, { exact: true }).waitFor();
  expect(Date.now() - pressed).toBeGreaterThan(8000);
  const found = await everywhere(page, ['desktop', 'tablet'], 'r2r-undelivered');
  const late = await unit.next();
  expect(await unit.say(late, 'delivered')).toBe('delivered');
  await detail.getByText(WORDS.delivered, { exact: true }).waitFor();
  await detail.getByText(WORDS.delivered, { exact: true }).waitFor({ state: 'detached' });
  expect(found).toEqual([]);

  // One that fails leaves no test mode behind: a real alert would not be seen.
  await press(detail, 'Turn Off Test Mode');
  await unit.say(await unit.next(), 'delivered');
  await press(detail, 'Send Test Alert');
  await unit.say(await unit.next(), 'failed', 'indicator not connected');
  await detail.getByText('Unable to activate Test Mode').waitFor();
  await detail.getByText(WORDS.undelivered, { exact: true }).waitFor();
  await detail.getByText(/indicator not connected/).waitFor();
  await detail.getByText('Test Mode', { exact: true }).waitFor({ state: 'detached' });
});

it('a phone in the hand of an officer does the same, and has no lights to set', { timeout: 300_000 }, async () => {
  const unit = await device(PHONE);
  const { page, detail } = await at(PHONE, 'operator', { size: 'phone' });
  const button = detail.getByRole('button', { name: 'Send Test Alert' });
  await button.scrollIntoViewIfNeeded();
  await button.tap();
  await unit.say(await unit.next(), 'delivered');
  await detail.getByText(WORDS.delivered, { exact: true }).waitFor();
  const found = await everywhere(page, ['phone'], 'r2r-phone');
  await detail.getByRole('button', { name: 'Turn Off Test Mode' }).tap();
  await unit.say(await unit.next(), 'delivered');
  await detail.getByText('Test Mode: Off').waitFor();
  expect(await detail.getByText('LED Intensity').count()).toBe(0);
  expect(found).toEqual([]);
});

// spec: 1.feat.07 5.asset.12 8.asset.12 9.session.05
it('a manager sets how bright the lights are', { timeout: 300_000 }, async () => {
  const unit = await device(LIGHTS);
  const { page, detail } = await at(LIGHTS, 'manager');
  const lights = detail.getByRole('region', { name: 'LED Intensity' });
  const update = lights.getByRole('button', { name: 'Update', exact: true });
  expect(await update.isDisabled()).toBe(true);
  const choose = async (intensity: string) => {
    await lights.getByRole('button', { name: 'LED Intensity' }).click();
    await page.getByRole('option', { name: intensity }).click();
    await update.click();
    await lights.getByText('Sending update').waitFor();
  };
  await choose('High');
  const order = await unit.next();
  expect(order).toMatchObject({ type: 'light_intensity', value: 'high' });
  await unit.say(order, 'delivered');
  await lights.getByText('Update was successful').waitFor();
  const found = await everywhere(page, ['desktop', 'tablet'], 'lights');
  await lights.getByText('Update was successful').waitFor({ state: 'detached' });
  await choose('Low');
  await unit.say(await unit.next(), 'failed', 'no such lamp');
  await lights.getByText('Something went wrong').waitFor();
  await detail.getByText('LED Intensity: Low').waitFor();
  expect(found).toEqual([]);
});

// spec: 6.thing.02 6.thing.03 6.thing.04 8.asset.13
it('what is refused says why, to a pointer, a keyboard and a finger', { timeout: 300_000 }, async () => {
  await report();
  const { page, detail } = await at(RUNNING, 'operator');
  const button = detail.getByRole('button', { name: 'Send Test Alert' });
  const tip = page.getByRole('tooltip');
  const refused = async (called: string, why: string) => {
    if (!(await detail.getByRole('heading', { name: called }).count())) {
      await detail.getByRole('button', { name: 'Live', exact: true }).click();
      await row(page, called).click();
      await detail.getByRole('heading', { name: called }).waitFor();
    }
    await button.hover();
    await tip.getByText(why, { exact: true }).waitFor();
    await page.mouse.move(1, 1);
    await tip.waitFor({ state: 'detached' });
  };
  await refused(RUNNING, 'Invalid asset status');
  await refused(TOW, 'R2R not enabled');
  await refused(APP, 'R2R testing available only for HA5 and HA7 devices');
  await page.keyboard.press('Shift+Tab');
  await button.focus();
  await page.keyboard.press('Enter');
  await tip.getByText('R2R testing available only for HA5 and HA7 devices').waitFor();
  expect(await everywhere(page, ['desktop', 'tablet'], 'r2r-refused')).toEqual([]);

  const { page: phone, detail: inHand } = await at(ENGINE, 'viewer', { size: 'phone' });
  const same = inHand.getByRole('button', { name: 'Send Test Alert' });
  await same.scrollIntoViewIfNeeded();
  await same.tap({ force: true }); // it is not enabled, which is what this is about
  await phone.getByRole('tooltip').getByText('Not authorized', { exact: true }).waitFor();
  expect(await everywhere(phone, ['phone'], 'r2r-refused-phone')).toEqual([]);
});
