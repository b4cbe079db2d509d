// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { replayed } from '~/api/recorded';
import { ADMIN, all, find, press, type Stage, says, see, signIn, silence, stage, text, type } from './testing';

const CALL = 'POST /feeds/check';
const PATH = '/dashboard/accounts/check-feed';
let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
});
afterEach(() => server.close());

async function ask(): Promise<void> {
  await type('Address', 'https://example.org/wzdx.geojson');
  await press('Check', 'form button');
}

it('says plainly that a feed is valid', async () => {
  server.answers[CALL] = () => replayed('checkFeed.good');
  await server.open(PATH, 'Check a feed');
  await ask();
  await says('The feed is valid. No errors or warnings.');
  await says('Waze CIFS: 1 feature, 1 readable');
  expect(all('table', '')).toEqual([]);
  expect(server.writes()[0]?.body).toEqual({ url: 'https://example.org/wzdx.geojson' });
});

it('counts each broken rule, and shows where, what is wrong and the way out', async () => {
  server.answers[CALL] = () => replayed('checkFeed.broken');
  await server.open(PATH, 'Check a feed');
  await ask();
  await says('The feed has 36 errors.');
  await says('End before start');
  await says('Correct its times.');
  expect(all('tbody tr', '').length).toBeGreaterThan(2);
  await says('DE-95-1');
  await says('and 2 more');
});

it('says why nothing could be checked, and lets a check be canceled', async () => {
  server.answers[CALL] = () => replayed('checkFeed.feed_html');
  await server.open(PATH, 'Check a feed');
  await ask();
  await says('This is a web page (HTML), not a feed.');
  server.answers[CALL] = silence;
  await press('Check', 'form button');
  await says('Connection failed.');
  server.answers[CALL] = () => new Promise<Response>(() => undefined);
  await press('Check', 'form button');
  await find('form button', 'Cancel');
  expect(text()).not.toContain('Connection failed.');
  await press('Cancel', 'form button');
  await see(() => expect(all('form button', 'Cancel')).toEqual([]));
});

it('sends a file, and none that is too large', async () => {
  server.answers[CALL] = () => replayed('checkFeed.good');
  await server.open(PATH, 'Check a feed');
  await press('Document', 'form label, form button');
  const input = (await find('input[type=file]', '')) as HTMLInputElement;
  const choose = (file: File) => {
    Object.defineProperty(input, 'files', { value: [file], configurable: true });
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
  choose(new File([new Uint8Array(11 << 20)], 'large.json'));
  await says('The limit is 10 MB');
  choose(Object.assign(new File(['{}'], 'harbor.json'), { text: vi.fn(async () => '{"incidents": []}') }));
  await says('harbor.json');
  await press('Check', 'form button');
  await says('The feed is valid');
  expect(server.writes()[0]?.body).toEqual({ content: '{"incidents": []}' });
});
