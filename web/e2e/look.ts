// Looks at a screen in both themes: what breaks a law of accessibility, and pictures for people (SHOTS=1: screens/, not in git).
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { shoot, sizes, wantsPictures } from './harness';

/** To be put into a tab before it opens the first page. */
export const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const LAWS = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
/** What another theme can break: it changes colors and nothing else. */
const LAWS_OF_COLOR = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

type Size = keyof typeof sizes;
type Theme = 'dark' | 'light';
const other = { dark: 'light', light: 'dark' } as const;

/** The violations of a page, in one line each. */
async function violations(page: Page, laws: typeof LAWS, preload: boolean): Promise<string[]> {
  const found = await page.evaluate(
    async ({ runOnly, preload }) => {
      const { axe } = globalThis as unknown as { axe: { run(c: object, o: object): Promise<AxeResults> } };
      const { violations } = await axe.run(
        // The announcer of react-aria keeps a spoken message for 7 s, also when what it names has gone.
        { exclude: ['[data-live-announcer]'] },
        { runOnly, resultTypes: ['violations'], preload },
      );
      // What no pointer can hit (the map's marks for the keyboard) needs no size for one.
      const isHit = ([at]: readonly unknown[]) => {
        const element = typeof at === 'string' && document.querySelector(at);
        return !element || getComputedStyle(element).pointerEvents !== 'none';
      };
      return violations
        .map(v => (v.id === 'target-size' ? { ...v, nodes: v.nodes.filter(({ target }) => isHit(target)) } : v))
        .filter(({ nodes }) => nodes.length > 0);
    },
    { runOnly: laws, preload },
  );
  return found.map(v => `${v.id}: ${v.nodes.map(n => `${n.target.join(' ')} ${n.failureSummary}`).join('; ')}`);
}

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme as Theme);

/** Turns the page to a theme; the map with it where it is to be seen on a picture, since to draw it anew takes long. */
async function turn(page: Page, theme: Theme): Promise<void> {
  if (!wantsPictures) {
    await page.evaluate(wanted => {
      document.documentElement.dataset.theme = wanted;
    }, theme);
    return;
  }
  await page.emulateMedia({ colorScheme: theme });
  await page.waitForFunction(wanted => document.documentElement.dataset.theme === wanted, theme);
}

/** Nothing moves any more, but for what moves for ever. */
const settled = (page: Page) =>
  page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(a => a.effect?.getComputedTiming().endTime !== Infinity)
        .map(a => a.finished.catch(() => undefined)),
    ),
  );

async function look(page: Page, name: string, size: string, theme: Theme, laws: typeof LAWS, preload: boolean) {
  await settled(page);
  await shoot(page, `${name}-${theme}-${size}`);
  return (await violations(page, laws, preload)).map(line => `${name}, ${theme}, ${size}: ${line}`);
}

/** What breaks a law in what stands, and what breaks one of colors in the other theme. */
export const both = (page: Page, size: string, name: string, options?: { preload: boolean }) =>
  everywhere(page, [size], name, options);

/**
 * The same in several sizes whose markup is the same: all laws in each, those of colors in the other theme once, since a
 * size changes no color. Pictures, if they are wanted, are taken of each in both. A single size is only a name.
 */
export async function everywhere(
  page: Page,
  names: readonly string[],
  name: string,
  // Under a clock of the test axe copies the style sheets that it preloads, which the page's policy forbids.
  { preload }: { preload: boolean } = { preload: true },
): Promise<string[]> {
  const found: string[] = [];
  const resize = async (size: string) => {
    if (names.length > 1) await page.setViewportSize(sizes[size as Size]);
  };
  await page.mouse.move(1, 1);
  const theme = await themeOf(page);
  for (const size of names) {
    await resize(size);
    found.push(...(await look(page, name, size, theme, LAWS, preload)));
  }
  await turn(page, other[theme]);
  const [last = '', ...rest] = names.toReversed();
  found.push(...(await look(page, name, last, other[theme], LAWS_OF_COLOR, preload)));
  for (const size of rest) {
    await resize(size);
    await settled(page);
    await shoot(page, `${name}-${other[theme]}-${size}`);
  }
  await turn(page, theme);
  return found;
}
