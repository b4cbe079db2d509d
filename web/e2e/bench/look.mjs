// Pictures of the map alone, dark and light, desk and phone, into an ignored folder. Usage: node e2e/bench/look.mjs [folder]
import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { CHROMIUM, serve } from './server.mjs';

const folder = process.argv[2] ?? 'e2e/screens/map';
await mkdir(folder, { recursive: true });
const server = await serve(Number(process.env.PORT ?? 5175));
const browser = await chromium.launch(CHROMIUM);
let failed = false;
try {
  for (const [name, theme, width, height, extra] of [
    ['stage-dark', 'dark', 1280, 900, ''],
    ['stage-light', 'light', 1280, 900, ''],
    ['phone-light', 'light', 390, 844, '&phone'],
  ]) {
    const page = await browser.newPage({ viewport: { width, height }, hasTouch: extra !== '' });
    page.on(
      'console',
      message => ['error', 'warning'].includes(message.type()) && process.stderr.write(`${name}: ${message.text()}\n`),
    );
    page.on('pageerror', error => {
      failed = true;
      process.stderr.write(`${name}: ${error.stack}\n`);
    });
    const region = server.bounds ? `&region=${encodeURIComponent(JSON.stringify(server.bounds))}` : '';
    await page.goto(`${server.url}/stage.html?theme=${theme}${region}${extra}`);
    await page.waitForSelector('[data-map="ready"]', { timeout: 60_000 });
    await page.evaluate(() => new Promise(resolve => window.stage.controller.whenIdle(resolve)));
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
process.exit(failed ? 1 : 0);
