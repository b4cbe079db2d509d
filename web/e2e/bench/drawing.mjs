// Prints what an update of N assets costs the main thread: our layer beside a GeoJSON symbol layer, same run.
// Usage: node e2e/bench/drawing.mjs [N]   (N: 100000)
import { chromium } from 'playwright-core';
import { CHROMIUM, serve } from './server.mjs';

const n = Number(process.argv[2] ?? 100_000);
const ROUNDS = 30;
const WARM_ROUNDS = 12; // the compiler has settled by then
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
  const script = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (metrics.find(metric => metric.name === 'ScriptDuration')?.value ?? 0) * 1000;
  };
  await page.goto(`${server.url}/drawing.html`);
  await page.waitForFunction(() => window.bench !== undefined);
  await page.evaluate(() => window.bench.ready());

  for (const [view, zoom] of [
    ['near (zoom 14)', 14],
    ['far (zoom 9, all in view)', 9],
  ]) {
    await page.evaluate(z => window.bench.view(z), zoom);
    await page.evaluate(count => window.bench.own(count), n);
    const updates = [];
    for (let round = 0; round < ROUNDS; round++) updates.push(await page.evaluate(() => window.bench.ownUpdate()));
    const pick = await page.evaluate(() => window.bench.pick());
    const settled = updates.slice(WARM_ROUNDS);
    rows.push({
      view,
      layer: 'own',
      assets: n,
      'in view': settled.at(-1).visible,
      'apply ms': ms(median(settled.map(u => u.apply))),
      'fill ms': ms(median(settled.map(u => u.fill))),
      'update ms': ms(median(settled.map(u => u.apply + u.fill))),
      'best ms': ms(Math.min(...settled.map(u => u.apply + u.fill))),
      'pick ms': pick.toFixed(3),
    });
    if (zoom === 14) {
      rows.at(-1)['idle frames / 3 s'] = await page.evaluate(() => window.bench.idleFrames(3000));
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
