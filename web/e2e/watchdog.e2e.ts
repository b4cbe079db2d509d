// The watchdog, from an engine with its lights off at an incident to a finding that ends: nobody reloads anything.
import enums from '@catalog/enums.json';
import { expect, it } from 'vitest';
import { client, heard, ingest, mapReady, register, row, signIn, until } from './harness';
import { find, HOME, point, tabbed } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';

const scene = setScene();

const TAB = 'accounts/watchdog';
const RULE = 'Lights off at an incident';
const FOUND = /^Engine 12 is at an incident and its lights are off, since /;

/** Reports of an engine that stands north of the town, a few seconds from each other. */
const standing = (from: number, to: number, alerting: boolean) => {
  const count = Math.floor((from - to) / 5) + 1;
  const at = { lat: HOME.lat + 0.01, lng: HOME.lng };
  return Array.from({ length: count }, (_, i) => point('WD-12', from - 5 * i, { ...at, alerting }));
};

it('finds an engine with its lights off at an incident, shows it where the engine is, and lets it go', {
  timeout: 300_000,
}, async () => {
  const { server } = scene;
  const { page } = await scene.open({ still: true });
  await page.addInitScript({ path: axe });
  const violations: string[] = [];
  const see = async (name: string, sizes = ['desktop', 'tablet', 'phone']) =>
    void violations.push(...(await everywhere(page, sizes, name)));
  const visit = (path: string) => page.goto(`${server.url}/dashboard/${path}`);

  const admin = await client(server, 'admin');
  const station = { lat: HOME.lat - 0.02, lng: HOME.lng };
  const ez_type_id = enums.areaTypes.find(one => one.name === 'station')?.id;
  const point_geom = { lat: station.lat, lon: station.lng };
  await admin.post('/organization/exclusion_zone', { name: 'Station 7', ez_type_id, point_geom });
  await signIn(page, server, 'admin', TAB);
  await page.getByText('Nothing found yet.').waitFor();
  await page.getByText('All rules are on trial: nobody is told yet.').waitFor();
  await see('watchdog-none');

  // By the keyboard alone.
  await tabbed(page, page.getByRole('link', { name: 'Settings', exact: true }));
  await page.keyboard.press('Enter');
  const modes = page.getByRole('radiogroup', { name: RULE });
  await modes.getByRole('radio', { name: 'Trial', checked: true }).waitFor();
  await see('watchdog-settings');
  await tabbed(page, modes.getByRole('radio', { name: 'Off' }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await modes.getByRole('radio', { name: 'On', checked: true }).waitFor();
  await page.getByLabel('From', { exact: true }).fill('22:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter both times, or neither.').waitFor();
  await page.getByLabel('From', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await heard(page, 'Watchdog saved');
  await page.getByText('1 rule on, 8 on trial.').waitFor();

  const engine = { thing_type: 'fire', device_type: 'ha7' };
  await register(server, [
    { haas_id: 'WD-12', nickname: 'Engine 12', ...engine },
    { haas_id: 'WD-7', nickname: 'Medic 7', ...engine },
  ]);
  const parked = () => ingest(server, [point('WD-7', 0, { ...station, alerting: true })]);
  await parked();
  await ingest(server, [...standing(160, 80, true), ...standing(75, 0, false)]);
  const open = page.getByRole('table', { name: 'Open' });
  await open.getByRole('cell', { name: FOUND }).waitFor();
  expect(await open.getByText('Would have told').count()).toBe(0);
  // What a rule on trial finds is there as well, and says that nobody was told.
  const medic = open.getByRole('row').filter({ hasText: 'Medic 7 is at a station and its lights are on' });
  // It has to be so for a minute, and is looked at every 15 s.
  const isFound = async () => {
    await parked();
    return (await medic.count()) > 0;
  };
  await until('the one on trial', isFound, 120_000);
  await medic.getByText('Would have told').waitFor();
  await medic.getByRole('link', { name: 'Station: Station 7' }).waitFor();
  await open.getByRole('link', { name: /^Incident/ }).waitFor();
  await see('watchdog-open');

  // The link leads to the asset, which says the same, and back to its findings alone.
  await open.getByRole('link', { name: 'Engine 12' }).click();
  const detail = page.getByRole('article', { name: 'Asset' });
  await detail.getByText(/^Is at an incident and its lights are off, since /).waitFor();
  await mapReady(page);
  await see('watchdog-asset');
  await detail.getByRole('link', { name: 'All findings' }).click();
  await page.waitForURL(url => url.pathname.endsWith(TAB) && url.searchParams.has('asset'));
  await row(page, 'Engine 12').waitFor();
  await visit('things');
  const listed = await find(page, 'Engine 12');
  await listed.getByText('Lights off on scene').waitFor();
  await see('watchdog-row');
  await find(page, 'Medic 7');
  await row(page, 'Lights on at station').click();
  await detail.getByText('Would have told').waitFor();
  await see('watchdog-trial');

  // While its screen stands, the lights go on, and it ends.
  await visit(TAB);
  await open.getByRole('cell', { name: FOUND }).waitFor();
  const ended = page.getByRole('table', { name: 'Ended' });
  // It has to be over for half a minute, and is looked at every 15 s: before and after that.
  const isOver = async () => {
    await ingest(server, standing(0, 0, true));
    return (await ended.getByText(/^Engine 12 was at an incident/).count()) > 0;
  };
  await until('the finding to end', isOver, 120_000);
  expect(await open.getByText('Engine 12').count()).toBe(0);
  await see('watchdog-ended');

  const { rules } = await admin.get<{ rules: { rule: string; found_7d: number }[] }>('/organization/watchdog');
  expect(rules.find(({ rule }) => rule === 'not_alerting_at_incident')?.found_7d).toBe(1);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await until(
    'both rules to say it',
    async () => (await page.getByText('Found once in the last 7 days').count()) === 2,
  );
  await page.getByRole('switch', { name: 'Mail me' }).press('Space');
  await heard(page, 'You will be mailed');
  expect(violations).toEqual([]);
});
