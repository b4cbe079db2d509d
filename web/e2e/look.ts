// Looks at a screen in both themes: pictures (screens/, not in git), and what breaks a law of accessibility.
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { shoot } from './harness';

/** To be put into a tab before it opens the first page. */
export const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const LAWS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
const themes = ['dark', 'light'] as const;

/** The violations of a page, in one line each. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await page.evaluate(
    tags =>
      (globalThis as unknown as { axe: { run(c: object, o: object): Promise<AxeResults> } }).axe.run(
        // The announcer of react-aria keeps a spoken message for 7 s, also when what it names has gone.
        { exclude: ['[data-live-announcer]'] },
        { runOnly: tags },
      ),
    LAWS,
  );
  return found.map(v => `${v.id}: ${v.nodes.map(n => `${n.target.join(' ')} ${n.failureSummary}`).join('; ')}`);
}

/** Takes a picture of what stands, and of the same in the other theme; answers what breaks a law. */
export async function both(page: Page, size: string, name: string): Promise<string[]> {
  const found: string[] = [];
  await page.mouse.move(1, 1);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForFunction(wanted => document.documentElement.dataset.theme === wanted, theme);
    await page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter(a => a.effect?.getComputedTiming().endTime !== Infinity)
          .map(a => a.finished.catch(() => undefined)),
      ),
    );
    await shoot(page, `${name}-${theme}-${size}`);
    for (const line of await violations(page)) found.push(`${name}, ${theme}, ${size}: ${line}`);
  }
  return found;
}
