// The first start of a server that nobody has used: the printed link makes the first administrator, who signs in.
import { expect, it } from 'vitest';
import { shoot, start, until } from './harness';
import { setScene } from './scene';

const scene = setScene(() => start('serve', []));

it('leads from the printed link to the first sign-in, once', async () => {
  const { page } = await scene.open();
  const link = await until('the printed link', () => /https?:\/\/\S+\/setup#\S+/.exec(scene.server.log())?.[0]);
  await page.goto(link);
  await page.waitForURL('**/setup');
  const create = page.getByRole('button', { name: 'Create administrator' });
  await create.click();
  await page.getByText('Please check the marked fields.').waitFor();
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(await page.getByLabel('Time zone').inputValue()).toBe(zone);
  await page.getByLabel('Organization').fill('Kent County EMS');
  await page.getByLabel('Time zone').selectOption('America/Chicago');
  await page.getByLabel('First name').fill('Ann');
  await page.getByLabel('Last name').fill('Lee');
  await page.getByLabel('Email').fill('ann');
  await page.getByLabel('Password', { exact: false }).first().fill('Journey#Otter2026');
  await page.getByLabel('Confirm password').fill('Journey#Otter2026');
  await create.click();
  await page.getByText('Must be a valid email').waitFor(); // and nothing has to be typed again
  expect(await page.locator('em').count()).toBe(1);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await shoot(page, `setup-${colorScheme}`);
  }
  await page.getByLabel('Email').fill('ann@kent.example');
  await create.click();
  await page.waitForURL('**/welcome/signin');
  await page.getByLabel('Email').fill('ann@kent.example');
  await page.getByLabel('Password', { exact: true }).fill('Journey#Otter2026');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/dashboard\/things(\?|$)/);
  await page.getByText(/^Register the first asset, or import a list\./).waitFor();
  await page.getByRole('button', { name: 'AL, profile of Ann Lee' }).waitFor();
  await page.goto(link);
  expect(await page.getByRole('button').count()).toBe(0);
});
