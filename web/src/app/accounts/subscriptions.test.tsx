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
  for (const words of ['Failing', 'The server answers with an error (503)', '1 accepted', '1 rejected', '3 closures'])
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

it('leads to the feeds that the organization publishes itself, where it does', async () => {
  server.answers[`GET ${FEEDS}`] = answer('listFeedSubscriptions.empty');
  await server.open('/dashboard/accounts/feed', 'No incoming feeds yet.');
  expect(all('a', 'Published feeds')).toEqual([]);
  signIn(ADMIN, { is_wzdx_org: true });
  await see(() =>
    expect(all('a', 'Published feeds').map(link => link.getAttribute('href'))).toEqual([
      '/dashboard/accounts/organization/o1',
    ]),
  );
});

it('is no tab of who sees neither closures nor hazards', async () => {
  signIn(['user:read']);
  await server.open('/dashboard/accounts/feed', 'Sorry, you are not currently authorized');
  expect(all('nav[aria-label=Accounts] a', 'Incoming feeds')).toEqual([]);
});

it('tells of a failing feed why it fails, what becomes of its closures, and what was refused', async () => {
  server.answers[`GET ${one}`] = answer('getFeedSubscription.failing');
  await server.open(page, 'The server answers with an error (503)');
  await says('Its closures have ended. The feed failed for 8 hours.');
  expect(all('ul[aria-label="Why features were rejected"] li', 'Not a feature')).toHaveLength(1);
  const fetches = all('table[aria-label="Last fetches"] tbody tr', '');
  expect(fetches).toHaveLength(5);
  expect(fetches[1]?.textContent).toContain('The feed is much shorter than before');
});

it('tells of a feed that shrank what still stands and until when', async () => {
  server.answers[`GET ${one}`] = answer('getFeedSubscription.held');
  await server.open(page, '2 closures of this feed are missing.');
  expect(text()).toContain('is often broken, so they stay active for now.');
  expect(text()).toMatch(/If they are still missing at .*Nov-21-2026.*, they end\./);
});

it('says of hazards that are missing how long they last', async () => {
  server.answers[`GET ${one}`] = answer('getFeedSubscription.held', { closures: 0, hazards: 1, missing: 1 });
  await server.open(page, '1 hazard of this feed is missing.');
  expect(text()).toMatch(/Unless it comes back, it ends by .*Nov-21-2026.* at the latest/);
  const notice = all('[role=status]', '1 hazard');
  expect(notice.map(one => one.textContent?.includes('closure'))).toEqual([false]);
});

it('says of closures and hazards that are missing that it may be either, and how long each lasts', async () => {
  server.answers[`GET ${one}`] = answer('getFeedSubscription.held', { closures: 3, hazards: 4, missing: 5 });
  await server.open(page, '5 closures and hazards of this feed are missing.');
  expect(text()).toContain('so closures stay active for now.');
  expect(text()).toContain('Hazards end by then at the latest.');
});

it('accepts the shorter feed as it was seen, after it has said what ends, and says what came of it', async () => {
  server.answers[`GET ${one}`] = answer('getFeedSubscription.held.again');
  server.answers[`POST ${one}/accept`] = () => {
    const last_fetched_at = '2026-11-21T10:04:02.000Z';
    server.answers[`GET ${one}`] = answer('getFeedSubscription.better', { last_fetched_at });
    return answer('acceptFeedSubscription.ok')();
  };
  await server.open(page, '2 closures of this feed');
  await press('Accept the shorter feed', 'button');
  await says('2 closures end now, for everyone.');
  expect(server.writes()).toEqual([]);
  await press('Confirm', 'button');
  await says('Fetched: Good');
  await see(() => expect(text()).not.toContain('of this feed are missing'));
  expect(server.writes()).toMatchObject([{ path: `${one}/accept`, body: { missing: 2 } }]);
});

it('says why it was not accepted, and shows the feed as it is by then', async () => {
  server.answers[`GET ${one}`] = answer('getFeedSubscription.held', { missing: 1 });
  server.answers[`POST ${one}/accept`] = () => {
    server.answers[`GET ${one}`] = answer('getFeedSubscription.held');
    return refused('acceptFeedSubscription.conflict');
  };
  await server.open(page, '1 closure of this feed is');
  await press('Accept the shorter feed', 'button');
  await says('1 closure ends now');
  await press('Confirm', 'button');
  await says('The feed has changed again: 2 are missing now.');
  await says('2 closures of this feed are');
  expect(text()).toContain('1 closure ends now'); // what was asked does not change under the hand
  server.answers[`POST ${one}/accept`] = () => {
    server.answers[`GET ${one}`] = answer('getFeedSubscription.better');
    return refused('acceptFeedSubscription.feed_not_held');
  };
  await press('Confirm', 'button');
  await says('This feed has nothing to accept anymore.');
  expect(server.writes().map(({ body }) => body)).toEqual([{ missing: 1 }, { missing: 1 }]);
  await see(() => expect(text()).not.toContain('of this feed are missing'));
});

it('lets nobody accept who may only look', async () => {
  signIn(['user:read', 'closure:read']);
  server.answers[`GET ${one}`] = answer('getFeedSubscription.held');
  await server.open(page, '2 closures of this feed');
  expect(all('button', 'Accept the shorter feed')).toEqual([]);
});

it('offers the way back from an edit', async () => {
  const saved = recorded('updateFeedSubscription.ok').data;
  server.answers[`GET ${FEEDS}/${saved.id}`] = answer('getFeedSubscription.ok');
  server.answers[`PUT ${FEEDS}/${saved.id}`] = answer('updateFeedSubscription.ok');
  server.answers[`POST ${FEEDS}/${saved.id}/undo`] = answer('undoFeedSubscription.ok');
  await server.open(`/dashboard/accounts/feed/${saved.id}/edit`, '*** hides a saved password or key.');
  await type('Name', saved.name);
  await press('Save', 'button');
  await says('Feed saved');
  await press('Undo', 'button');
  await says('Change undone');
  await says('Paused'); // as the server says that it was
  expect(server.writes()[1]).toMatchObject({ body: { version: saved.version } });
});

it('never shows what is secret in an address, and sends only what was changed', async () => {
  const row = vary(recorded('getFeedSubscription.ok').data, { id: held.id });
  server.answers[`GET ${one}`] = answer('getFeedSubscription.ok', row);
  server.answers[`PUT ${one}`] = () => refused('updateFeedSubscription.validation_failed');
  await server.open(`${page}/edit`, '*** hides a saved password or key.');
  expect(heldBy('Address')).toBe(row.url);
  await type('Name', 'State DOT north');
  await press('Save', 'button');
  await says("Enter the whole address. The hidden parts can't be reused in a different one");
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
  await says('These end for everyone immediately: 2 closures.');
  await press('Confirm', 'button');
  await says('“State DOT” is deleted');
  await says('No incoming feeds yet.');
  server.answers[`POST ${one}/undo`] = () => refused('undoFeedSubscription.conflict');
  await press('Undo', 'button');
  await says('This feed subscription was changed again since then.');
  expect(server.writes().at(-1)).toMatchObject({
    body: { version: recorded('getFeedSubscription.good').data.version + 1 },
  });
});

it('brings a deleted feed back into the list', async () => {
  const [row] = recorded('listFeedSubscriptions.fetched').data;
  server.answers[`GET ${one}`] = answer('getFeedSubscription.good');
  server.answers[`GET ${FEEDS}`] = answer('listFeedSubscriptions.empty');
  server.answers[`DELETE ${one}`] = answer('deleteFeedSubscription.ok');
  server.answers[`POST ${one}/undo`] = () => {
    server.answers[`GET ${FEEDS}`] = answer('listFeedSubscriptions.fetched');
    return answer('undoFeedSubscription.ok', { id: held.id })();
  };
  await server.open(page, '2 closures');
  await press('Delete', 'button');
  await press('Confirm', 'button');
  await says('No incoming feeds yet.');
  await press('Undo', 'button');
  await see(() => expect(all('tbody tr', row?.name ?? '')).toHaveLength(1));
});
