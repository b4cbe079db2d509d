// The question whether a closure still stands, put by mail: the letter, its page, the answer, and who wants such mails.
import { describe, expect, it } from 'vitest';
import { client } from './harness';
import { axe, everywhere } from './look';
import { mailedLink } from './people';
import { setScene } from './scene';

const scene = setScene();

/**
 * One that ends in a little more than half an hour: its owner is asked as soon as that is less. Who makes one that ends
 * sooner has just said that it stands, and is not asked: a loaded machine may take seconds until it is made.
 */
async function askAbout(description: string, before?: string) {
  const api = await client(scene.server);
  const path = '/organization/closure';
  const { id } = await api.post<{ id: string }>(path, {
    description,
    direction: 'N',
    road_name: 'N Market St',
    street_start: 'E 8th St',
    street_end: 'E 14th St',
    user_route: [
      { lat: 39.7458, lng: -75.5466 },
      { lat: 39.748, lng: -75.548 },
    ],
    is_active: true,
    end_time: new Date(Date.now() + 30 * 60_000 + 15_000).toISOString(),
  });
  const read = () => api.get<{ is_active: boolean; asked_at: string | null }>(`${path}/${id}`);
  return { id, read, link: await mailedLink(scene.server, scene.server.email('admin'), 'closure', before) };
}

describe('a closure that is asked about', () => {
  let first: string;

  it('is answered by the mailed link, by a press alone; who comes second is told', async () => {
    const { id, link, read } = await askAbout('Gas main repair');
    first = link;
    const { page } = await scene.open({ size: 'phone' });
    await page.addInitScript({ path: axe });
    await page.goto(link);
    const still = page.getByRole('button', { name: 'Still There' });
    const finished = page.getByRole('button', { name: 'Finished' });
    await still.waitFor();
    expect(page.url()).not.toMatch(/lb_[a-z]+_/);
    expect((await read()).asked_at).not.toBe(null);
    for (const button of [still, page.getByRole('link', { name: 'Moved' }), finished])
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    const found = await everywhere(page, ['phone', 'desktop'], 'closure-question');

    const late = (await scene.open()).page;
    await late.goto(link);
    await late.getByRole('button', { name: 'Finished' }).waitFor();
    await still.click();
    await page.getByText('Still in place: confirmed by you').waitFor();
    found.push(...(await everywhere(page, ['phone', 'desktop'], 'closure-answered')));
    expect(found).toEqual([]);
    await late.getByRole('button', { name: 'Finished' }).click();
    await late.getByText('Still in place: confirmed by you').waitFor();
    expect(await read()).toMatchObject({ is_active: true, asked_at: null });

    await page.goto(`${scene.server.url}/dashboard/closures/${id}/edit`);
    await page.waitForURL('**/welcome/signin?origin=**');
  });

  it('ends by the mailed link, and the link opens nothing else', async () => {
    const { link, read } = await askAbout('Tree work', first);
    const { page } = await scene.open();
    await page.goto(link);
    await page.getByRole('button', { name: 'Finished' }).click();
    await page
      .getByRole('status')
      .getByText(/by you/)
      .waitFor();
    expect(await read()).toMatchObject({ is_active: false });
    await page.goto(`${link}x`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Still There' }).count()).toBe(0);
  });
});
