// Prints what an update of N assets costs the main thread: our layer beside a GeoJSON symbol layer, same run.
// "update ms" of our layer is time of the thread's processor, apply, fill and names are by the clock. "batch ms" (by the
// clock) is not part of it: writing the batch, which the live store does in place of an object for each asset.
// Usage: node e2e/bench/drawing.mjs [N]   (N: 100000)
import { chromium } from 'playwright-core';
import { CHROMIUM, serve } from './server.mjs';

const n = Number(process.argv[2] ?? 100_000);
/** Measured blocks of updates without a frame between them; the compiler has settled after the first ones. */
const BLOCKS = 9;
const WARM_BLOCKS = 3;
const ROUNDS = 12;
/** What moves with an update: all at once, and what a busy second brings. */
const SHARES = [
  ['all', 1],
  ['2 %', 0.02],
];
const SYMBOL_ROUNDS = 2;
const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = value => (value === undefined ? '' : value.toFixed(value < 10 ? 2 : 0));

/** A plain text table of the rows' fields. */
function table(records) {
  const names = [...new Set(records.flatMap(record => Object.keys(record)))];
  const cells = [names, ...records.map(record => names.map(name => String(record[name] ?? '')))];
  const widths = names.map((_, column) => Math.max(...cells.map(line => line[column].length)));
  return cells.map(line => line.map((cell, column) => cell.padEnd(widths[column])).join('  ')).join('\n');
}

const server = await serve(Number(process.env.PORT ?? 5177));
const browser = await chromium.launch({ ...CHROMIUM, args: [...CHROMIUM.args, '--js-flags=--expose-gc'] });
const rows = [];
const errors = new Set();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on('pageerror', error => errors.add(error.message));
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const metric = async name => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (metrics.find(found => found.name === name)?.value ?? 0) * 1000;
  };
  const script = () => metric('ScriptDuration');
  // What the main thread computed: the clock of two cores that also draw in software says more about them.
  const thread = () => metric('ThreadTime');
  await page.goto(`${server.url}/drawing.html`);
  await page.waitForFunction(() => window.bench !== undefined);
  await page.evaluate(() => window.bench.ready());

  for (const [view, zoom] of [
    ['near (zoom 14)', 14],
    ['far (zoom 9, all in view)', 9],
  ]) {
    await page.evaluate(z => window.bench.view(z), zoom);
    for (const [moving, share] of SHARES) {
      await page.evaluate(([count, part]) => window.bench.own(count, part), [n, share]);
      const cpu = [];
      let clock;
      for (let block = 0; block < WARM_BLOCKS + BLOCKS; block++) {
        // The frame of the block before is drawn: drawing in software would take the processors from what is measured.
        await page.evaluate(() => window.bench.rest());
        const before = await thread();
        clock = await page.evaluate(rounds => window.bench.ownUpdates(rounds), ROUNDS);
        if (block >= WARM_BLOCKS) cpu.push(((await thread()) - before) / ROUNDS);
      }
      rows.push({
        view,
        moving,
        layer: 'own',
        assets: n,
        'in view': clock.visible,
        'apply ms': ms(clock.apply),
        'fill ms': ms(clock.fill),
        'names ms': ms(clock.names),
        'update ms': ms(median(cpu)),
        'best ms': ms(Math.min(...cpu)),
        'worst ms': ms(Math.max(...cpu)),
        'batch ms': ms(await page.evaluate(rounds => window.bench.batchMs(rounds), ROUNDS)),
      });
      if (share < 1) continue;
      rows.at(-1)['pick ms'] = (await page.evaluate(() => window.bench.pick())).toFixed(3);
      if (zoom === 14) rows.at(-1)['idle frames / 3 s'] = await page.evaluate(() => window.bench.idleFrames(3000));
    }
    process.stderr.write(`own layer, ${view}: done\n`);
    await page.evaluate(() => window.bench.clearOwn());

    await page.evaluate(count => window.bench.symbols(count), n);
    const symbols = [];
    for (let round = 0; round < SYMBOL_ROUNDS; round++) {
      const before = await script();
      const update = await page.evaluate(() => window.bench.symbolUpdate());
      symbols.push({ ...update, script: (await script()) - before });
    }
    rows.push({
      view,
      moving: 'all',
      layer: 'GeoJSON symbols',
      assets: n,
      'setData ms': ms(median(symbols.map(s => s.update))),
      'update ms': ms(median(symbols.map(s => s.script))),
      'to screen ms': ms(median(symbols.map(s => s.toScreen))),
    });
    await page.evaluate(() => window.bench.removeSymbols());
  }
  process.stdout.write(`${table(rows)}\n`);
  for (const error of errors) process.stdout.write(`page error: ${error}\n`);
} finally {
  await browser.close();
  await server.stop();
}
