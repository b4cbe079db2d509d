// Retention on the real server: an administrator places a legal hold, sees it in the list, and lifts it.
import { beforeAll, expect, it } from 'vitest';
import { register, row, signIn } from './harness';
import { axe, everywhere } from './look';
import { setScene } from './scene';

const scene = setScene();
const UNIT = 'HA7-09201';

beforeAll(() =>
  register(scene.server, [{ haas_id: UNIT, nickname: 'Held Engine', thing_type: 'fire', device_type: 'ha7' }]),
);

it('a legal hold is placed, listed, and lifted', async () => {
  const { page } = await scene.open();
  await page.addInitScript({ path: axe });
  await signIn(page, scene.server, 'admin', 'accounts/retention');
  await page.getByText('No legal holds.').waitFor();
  await page.getByText('13 months').first().waitFor();
  const found = await everywhere(page, ['desktop', 'tablet', 'phone'], 'retention-empty');

  // By the keyboard alone from the button to the form.
  await page.getByRole('link', { name: 'Place legal hold' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Place legal hold' }).waitFor();
  await page.getByRole('button', { name: 'Place legal hold' }).click();
  await page.getByText('Required').first().waitFor();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Case 26-1041, county attorney');
  await page.getByText('One asset', { exact: true }).click();
  await page.getByRole('button', { name: /Asset$/ }).click();
  await page.getByRole('option', { name: 'Held Engine' }).click();
  await page.getByLabel('First day').fill('2026-10-31');
  await page.getByLabel('Last day').fill('2026-10-01');
  await page.getByRole('button', { name: 'Place legal hold' }).click();
  await page.getByText('The end of the span must not come before its start.').waitFor();
  found.push(...(await everywhere(page, ['desktop', 'tablet', 'phone'], 'retention-form')));
  await page.getByLabel('First day').fill('2026-10-01');
  await page.getByLabel('Last day').fill('2026-10-31');
  await page.getByRole('button', { name: 'Place legal hold' }).click();

  const held = row(page, 'Case 26-1041');
  await held.getByText('In force').waitFor();
  await held.getByText('Held Engine').waitFor();
  await held.getByText('Oct-01-2026 to Oct-31-2026').waitFor();
  await row(page, 'Station visits').getByText('1 legal hold').waitFor();
  found.push(...(await everywhere(page, ['desktop', 'tablet', 'phone'], 'retention-held')));

  await held.getByRole('button', { name: 'Lift' }).click();
  await page.getByRole('alertdialog').waitFor();
  found.push(...(await everywhere(page, ['desktop'], 'retention-lift')));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await held.getByText('Lifted').waitFor();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await held.getByRole('button', { name: 'Lift' }).count()).toBe(0);
  expect(found).toEqual([]);
});
