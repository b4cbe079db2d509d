// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recorded, refused, vary } from '~/api/recorded';
import { ADMIN, all, answer, heldBy, press, type Stage, says, see, signIn, stage, text, type } from './testing';

const FEEDS = '/organization/feed_subscriptions';
const held = recorded('getFeedSubscription.held').data;
const one = `${FEEDS}/${held.id}`;
const page = `/dashboard/accounts/feed/${held.id}`;

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
});
afterEach(() => server.close());

it('lists the feeds of others with how each is, what it keeps and what it refuses', async () => {
  server.answers[`GET ${FEEDS}`] = answer('listFeedSubscriptions.fetched');
  await server.open('/dashboard/accounts/feed', 'State DOT');
  const [row] = all('tbody tr', 'State DOT');
  for (const words of ['Failing', 'The server answers with an error (503)', '1 kept', '1 refused', '3 closures'])
    expect(row?.textContent).toContain(words);
  expect(all('a', 'Add feed')).toHaveLength(1);
});

it('says what to do where no feed is read, and offers nothing to who may only look', async () => {
  server.answers[`GET ${FEEDS}`] = answer('listFeedSubscriptions.empty');
  await server.open('/dashboard/accounts/feed', 'No incoming feeds yet.');
  expect(text()).toContain('Add the address of a work zone feed.');
  signIn(['user:read', 'closure:read']);
  await see(() => expect(all('a', 'Add feed')).toEqual([]));
});

it('is no tab of who sees neither closures nor hazards', async () => {
  signIn(['user:read']);
  await server.open('/dashboard/accounts/feed', 'Sorry, you are not currently authorized');
  expect(all('nav[aria-label=Accounts] a', 'Incoming feeds')).toEqual([]);
});

it('tells of a failing feed why it fails, what becomes of its closures, and what was refused', async () => {
  server.answers[`GET ${one}`] = answer('getFeedSubscription.failing');
  await server.open(page, 'The server answers with an error (503)');
  await says('Its closures have ended: nothing confirmed them for 8 hours.');
  expect(all('ul[aria-label="Why features were refused"] li', 'No feature')).toHaveLength(1);
  const fetches = all('table[aria-label="Last fetches"] tbody tr', '');
  expect(fetches).toHaveLength(5);
  expect(fetches[1]?.textContent).toContain('Much less is in it than before');
});

it('tells of a feed that shrank what still stands and until when', async () => {
  server.answers[`GET ${one}`] = answer('getFeedSubscription.held');
  await server.open(page, '2 of its closures and hazards are no longer in the feed.');
  expect(text()).toMatch(/If they are still missing at .*Nov-21-2026.*, they end\./);
});

it('never shows what is secret in an address, and sends only what was changed', async () => {
  const row = vary(recorded('getFeedSubscription.ok').data, { id: held.id });
  server.answers[`GET ${one}`] = answer('getFeedSubscription.ok', row);
  server.answers[`PUT ${one}`] = () => refused('updateFeedSubscription.validation_failed');
  await server.open(`${page}/edit`, 'What *** stands for is set.');
  expect(heldBy('Address')).toBe(row.url);
  await type('Name', 'State DOT north');
  await press('Save', 'button');
  await says('Write the whole address: what is hidden here cannot be kept in another one');
  const [sent] = server.writes();
  expect(sent).toMatchObject({ body: { name: 'State DOT north' }, ifMatch: `"${row.version}"` });
  expect(Object.keys(sent?.body ?? {})).toEqual(['name']);
});

it('adds a feed, with the sentences of the server at their fields', async () => {
  server.answers[`POST ${FEEDS}`] = () => refused('createFeedSubscription.validation_failed');
  await server.open('/dashboard/accounts/feed/new', 'Work zones become closures.');
  await press('Add feed', 'button');
  await says('Required');
  expect(server.writes()).toEqual([]);
  await type('Name', 'State DOT');
  await type('Address', 'ftp://feeds.example.org/');
  await press('Add feed', 'button');
  await says('Use an address such as https://example.org/feed.geojson');
  expect(server.writes()[0]?.body).toMatchObject({ name: 'State DOT', format: 'wzdx', organization_id: 'o1' });
});

it('fetches when asked to, and says what came of it', async () => {
  server.answers[`GET ${one}`] = answer('getFeedSubscription.good');
  server.answers[`POST ${one}/fetch`] = () => {
    server.answers[`GET ${one}`] = answer('getFeedSubscription.failing');
    return answer('fetchFeedSubscription.ok', recorded('getFeedSubscription.good').data)();
  };
  await server.open(page, '2 closures');
  await press('Fetch now', 'button');
  await says('Fetched: The server answers with an error (503)');
});

it('deletes a feed after it has said what ends', async () => {
  server.answers[`GET ${one}`] = answer('getFeedSubscription.good');
  server.answers[`GET ${FEEDS}`] = answer('listFeedSubscriptions.empty');
  server.answers[`DELETE ${one}`] = answer('deleteFeedSubscription.ok');
  await server.open(page, '2 closures');
  await press('Delete', 'button');
  await says('What it brought ends for everyone immediately: 2 closures.');
  await press('Confirm', 'button');
  await says('“State DOT” is deleted');
  await says('No incoming feeds yet.');
});
