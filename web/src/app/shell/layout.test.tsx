// @vitest-environment jsdom

import { readdirSync, readFileSync } from 'node:fs';
import limits from '@catalog/limits.json';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { answered } from '~/api/recorded';
import { stubBrowser } from '~/lib/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { createAppRouter } from '../router';

const css = (path: string) => readFileSync(path, 'utf8').replace(/\/\*.*?\*\//gs, '');
const sheets = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.css'));

/** What the rules of a selector in the shell's stylesheets say about a property. */
const said = (selector: string, property: string) =>
  sheets
    .filter(name => name.startsWith('app/shell/'))
    .flatMap(name => css(`src/${name}`).split('}'))
    .filter(rule => rule.trim().startsWith(`${selector} {`))
    .flatMap(rule => new RegExp(`^  ${property}: (.+);$`, 'm').exec(rule)?.[1] ?? []);

// spec: 9.ui.08
it('every stylesheet changes its layout at a breakpoint of the catalog', () => {
  const { breakpointXs, breakpointSm, breakpointMd, breakpointLg, breakpointXl, breakpointXxl } = limits.ui;
  const known = [breakpointXs, breakpointSm, breakpointMd, breakpointLg, breakpointXl, breakpointXxl].map(b => b.value);
  expect(known).toEqual([500, 768, 769, 1025, 1281, 1441]);
  const used = sheets.flatMap(path =>
    [...css(`src/${path}`).matchAll(/@media[^{]*/g)].flatMap(([query]) =>
      query.includes('width') ? [...query.matchAll(/([\d.]+)px/g)].map(([, px]) => ({ path, px: Number(px) })) : [],
    ),
  );
  expect(used.filter(({ px }) => !known.includes(px))).toEqual([]);
  // And each of them is used: a number without a rule would be a promise without a layout.
  expect(known.filter(one => !used.some(({ px }) => px === one))).toEqual([]);
});

/** The rules of a stylesheet that hold under a condition. */
const blocks = (text: string) =>
  [...text.matchAll(/@media([^{]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/g)].map(([, query = '', rules = '']) => ({
    query,
    rules,
  }));

it('what is made for thumbs depends on the pointer, not on the width: a phone on its side is wide', () => {
  const all = sheets.flatMap(path => blocks(css(`src/${path}`)).map(block => ({ path, ...block })));
  const isForThumbs = ({ rules }: { rules: string }) =>
    /(?:height|width|--control): 4[48]px|font-size: 1rem/.test(rules);
  const made = all.filter(isForThumbs);
  expect(made.filter(({ query }) => query.trim() !== '(pointer: coarse)')).toEqual([]);
  const places = new Set(made.map(({ path }) => path));
  for (const path of ['ui/tokens.css', 'ui/Button.module.css', 'ui/Field.module.css', 'map/stage/map.module.css'])
    expect(places).toContain(path);
  // A key is no way for a thumb.
  expect(
    all.some(
      ({ path, query, rules }) =>
        path === 'ui/Field.module.css' && query.includes('coarse') && /kbd \{\s*display: none/.test(rules),
    ),
  ).toBe(true);
});

// spec: 9.ui.08
it.each([
  [768, 'coarse', 'a top bar and bottom tabs', true],
  [769, 'coarse', 'a left navigation', false],
  // 1440 px at 200 %, and at 400 %
  [720, 'fine', 'a left navigation', false],
  [360, 'fine', 'a left navigation', false],
] as const)('at %d px with a %s pointer there is %s', async (width, pointer, _, isPhone) => {
  vi.stubGlobal('fetch', () => Promise.resolve(answered('listThings.empty')));
  stubBrowser(() => ({ width, pointer }));
  session.state.set({ phase: 'signedIn', profile: profileOf(wireProfile()), organizationId: 'o1' });
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  const history = createMemoryHistory({ initialEntries: ['/dashboard/trips'] });
  root.render(<RouterProvider router={createAppRouter(history)} />);
  await vi.waitFor(() => expect(host.querySelector('nav[aria-label=Main]')).not.toBeNull());
  expect(host.querySelector('header') !== null).toBe(isPhone);
  expect(host.querySelector('nav')?.className.includes('tabs')).toBe(isPhone);
  root.unmount();
  host.remove();
  vi.unstubAllGlobals();
});

// spec: 9.layout.01
it('the drawer, the side navigation and the bottom tabs are as large as the catalog says', () => {
  const tokens = css('src/ui/tokens.css');
  const { drawerPx, sideNavPx, bottomNavPx } = limits.ui;
  expect([drawerPx, sideNavPx, bottomNavPx].map(size => size.value)).toEqual([400, 160, 70]);
  for (const [token, size, selector, property, value] of [
    ['--drawer', drawerPx, '.drawer', 'width', 'min(var(--drawer), 100%)'],
    ['--nav', sideNavPx, '.shell', 'grid-template-columns', 'var(--nav) 1fr'],
    ['--tabs', bottomNavPx, '.tabs', 'height', 'calc(var(--tabs) + env(safe-area-inset-bottom))'],
  ] as const) {
    expect(tokens).toContain(`${token}: ${size.value}px;`);
    expect(said(selector, property)).toEqual([value]);
  }
  // Larger letters than usual widen the navigation.
  expect(css('src/app/shell/Shell.module.css')).toContain(`max(var(--nav), ${sideNavPx.value / 16}rem) 1fr`);
  // Tablets alone see the icons of the navigation without their words.
  const others = sheets.flatMap(path => [...css(`src/${path}`).matchAll(/(@media[^{]*)\{[^@]*?--nav: (.+?);/g)]);
  expect(others.map(([, media, width]) => [media?.trim(), width])).toEqual([['@media (width < 1025px)', '56px']]);
  const all = sheets.flatMap(path => [...css(`src/${path}`).matchAll(/--(?:nav|tabs|drawer): /g)]);
  expect(all).toHaveLength(4);
});

// spec: 9.layout.02
it('a search input and the list of an area’s marker are as large as the requirements say', () => {
  expect(limits.ui.searchInputPx.value).toBe(350);
  expect(css('src/ui/tokens.css')).toContain('--search: 350px;');
  const rule = (path: string, selector: string) =>
    css(path)
      .split('}')
      .find(one => one.trim().startsWith(`${selector} {`));
  expect(rule('src/ui/Field.module.css', '.search')).toContain('max-width: var(--search);');
  expect(rule('src/map/stage/finder.module.css', '.finder')).toContain('width: min(var(--search), 100%);');
  expect(css('src/map/stage/cards.module.css')).toMatch(/\.scrolls \{\s*max-height: 200px;\s*overflow: auto;/);
});
