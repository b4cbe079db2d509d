// Pictures of the map of a running demo, dark and light, at several zooms and sizes, into an ignored folder.
// Usage: node e2e/bench/look.mjs http://localhost:8080 PASSWORD [folder] [part of a picture's name]
import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { CHROMIUM } from './server.mjs';

const [url, password, folder = 'e2e/screens/map', part = ''] = process.argv.slice(2);
if (!url || !password) {
  process.stderr.write('usage: node e2e/bench/look.mjs URL PASSWORD [folder] [part]\n');
  process.exit(2);
}
const CENTER = { lat: 39.7447, lng: -75.5484 };
const SIZES = { desktop: [1440, 900], tablet: [1024, 768], phone: [390, 844] };
const ZOOMS = [4, 8, 11, 13, 14.6, 16];
await mkdir(folder, { recursive: true });

/** Finds the map's controller in the properties of the stage. */
function findController() {
  const stage = document.querySelector('[data-map="ready"]');
  const key = stage && Object.keys(stage).find(name => name.startsWith('__reactFiber$'));
  for (let fiber = key && stage[key]; fiber; fiber = fiber.return) {
    const controller = fiber.memoizedProps?.controller;
    if (controller) {
      window.controller = controller;
      return true;
    }
  }
  return false;
}

const browser = await chromium.launch(CHROMIUM);
try {
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    for (const theme of ['dark', 'light']) {
      const names = ['all', ...ZOOMS]
        .map(view => [view, `${size}-${theme}-${view}`])
        .filter(([, name]) => name.includes(part));
      if (names.length === 0) continue;
      const phone = size === 'phone';
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        hasTouch: phone,
        isMobile: phone,
      });
      const page = await context.newPage();
      // The support dialog opens at first use.
      await page.addInitScript(() => localStorage.setItem('lightbar.preferences', '{"hideSupportDialog":true}'));
      page.on('pageerror', error => process.stderr.write(`${size}-${theme}: ${error.message}\n`));
      await page.goto(`${url}/welcome/signin`);
      await page.getByLabel('Email').fill('admin@demo.example');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/dashboard/things');
      await page.waitForFunction(findController);
      await page.waitForFunction(() => window.controller.assets.size > 0);
      for (const [view, name] of names) {
        await page.evaluate(
          ([at, zoom]) => {
            const map = window.controller.engineMap();
            if (zoom === 'all') window.controller.showAll();
            else map.jumpTo({ center: [at.lng, at.lat], zoom });
            // A fleet that moves never rests for long: the picture is good when all tiles are there.
            return new Promise(resolve => {
              const look = () => (map.areTilesLoaded() && !map.isMoving() ? resolve() : map.once('render', look));
              map.once('render', look);
              map.triggerRepaint();
            });
          },
          [CENTER, view],
        );
        await page.evaluate(() => {
          const map = window.controller.engineMap();
          return new Promise(resolve => {
            let frames = 12; // labels fade in over some frames
            const next = () => {
              if (frames-- > 0) map.triggerRepaint();
              else {
                map.off('render', next);
                resolve();
              }
            };
            map.on('render', next);
            map.triggerRepaint();
          });
        });
        await page.screenshot({ path: `${folder}/${name}.png` });
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
}
