// Live everywhere: what one client makes, changes and deletes, a second browser's list, detail and map show, noun by noun.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { client, mapReady, signIn } from './harness';
import { NOUNS, type Noun, type Others, type Seen } from './onmap';
import { setScene } from './scene';
import { type Look, type Place, seen } from './seen';
import { findMap, idle } from './stage';

const scene = setScene();

let list: Page;
let detail: Page;
let others: Others;

/** How long each waited for what it shows, in ms from the server's answer on: a table, no promise of a loaded machine. */
const took: string[][] = [];

const isLive = (page: Page) => page.locator('[data-map]').getByText('Live', { exact: true }).waitFor();
const rowOf = ({ row, isListed }: Seen): Look => ({ row, isListed });

/** A record before an act: what has no place yet or any more is not on the map. */
interface Known {
  id: string;
  at: Place | null;
}

/**
 * An act of others, and when the list, the detail and the map show it. A record whose id is not known before is looked
 * for on the map as soon as it is. Both maps are drawn before: in software that takes seconds, with a graphics card none.
 */
async function watch(
  noun: Noun,
  does: string,
  act: () => Promise<unknown>,
  shows: Seen,
  known?: Known,
): Promise<string> {
  await Promise.all([idle(list), known && idle(detail)]);
  const inList = seen(list, rowOf(shows));
  const inDetail = known && seen(detail, { line: shows.line });
  const acting = act().then(() => Date.now());
  const finding = known ? Promise.resolve(known.id) : acting.then(() => noun.find(others));
  // What stays where it is says nothing of when it was drawn.
  const onMap = known?.at === shows.at ? undefined : finding.then(id => seen(list, { id, at: shows.at }));
  const [answered, id, ...shown] = await Promise.all([acting, finding, inList, inDetail, onMap]);
  took.push([noun.what, does, ...shown.map(at => (at === undefined ? '' : String(at - answered)))]);
  return id;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${scene.server.url}/dashboard/${path}`);
  await mapReady(page);
  await findMap(page, []);
  await isLive(page);
}

beforeAll(async () => {
  others = { server: scene.server, admin: await client(scene.server) };
  [list, detail] = [(await scene.openForAll({ still: true })).page, (await scene.openForAll({ still: true })).page];
  await Promise.all([signIn(list, scene.server), signIn(detail, scene.server)]);
});

afterAll(() => {
  const lines = [['ms from the answer until others see it', 'act', 'list', 'detail', 'map'], ...took];
  process.stdout.write(`${lines.map(line => `| ${line.join(' | ')} |`).join('\n')}\n`);
});

describe.each(NOUNS)('$what', noun => {
  const { section, awaited, make, made, acts } = noun;
  const [folder = ''] = section.split('?');

  it('made, changed and ended, is the same in the list, the detail and on the map of others', async () => {
    await open(list, section);
    if (awaited) {
      await open(detail, `${folder}/${awaited.id}`);
      await seen(detail, { line: awaited.line });
    }
    const id = await watch(noun, 'made', () => make(others), made, awaited && { id: awaited.id, at: null });
    if (!awaited) await open(detail, `${folder}/${id}`);
    await seen(detail, { line: made.line });
    let now = made;
    for (const act of acts) {
      const { at } = now;
      now = { ...now, ...act.shows };
      await watch(noun, act.does, () => act.do(others, id), now, { id, at });
    }
  });
});
