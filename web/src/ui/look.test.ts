// @vitest-environment jsdom
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const css = (path: string) => readFileSync(`src/${path}`, 'utf8').replace(/\/\*.*?\*\//gs, '');

/** The rules that hold where the system has colors of its own, and only those. */
function forced(path: string): string {
  const [, rules = ''] = /@media \(forced-colors: active\) \{((?:[^{}]*\{[^{}]*\})*)/.exec(css(path)) ?? [];
  return rules;
}

it('one ring is drawn at what has the focus: what stands around it says so too, but draws none', () => {
  const [, selectors = ''] = /([^{}]*)\{\s*outline: 2px solid var\(--accent\);/.exec(css('ui/base.css')) ?? [];
  expect(selectors.split(',').map(one => one.trim())).toEqual([
    ':focus-visible',
    '[data-focus-visible]:not(:has(:focus-visible))',
  ]);
});

// Backgrounds and shadows go there: what says something by them alone needs an edge or a system color.
it.each([
  [
    'ui/Switch.module.css',
    ['.track', '.switch[data-selected] .track', '.checkbox[data-selected] .box', '.radio[data-selected] .dot'],
  ],
  ['ui/Segmented.module.css', ['.option[data-selected]']],
  ['map/stage/map.module.css', ['.dot', '.control[aria-pressed="true"]', '.pin[aria-pressed="true"]']],
  ['app/shell/SideNav.module.css', ['.link[aria-current="page"]::before']],
  ['app/shell/Phone.module.css', ['.tab[aria-current="page"]', '.organization[aria-current="true"]']],
  ['app/accounts/accounts.module.css', ['.tab[aria-current="page"]::after']],
  ['section/list.module.css', ['.counts i', '[aria-selected="true"] > * > .row']],
  ['ui/base.css', ['.light-bar']],
  ['ui/Button.module.css', ['.on']],
  ['ui/Notice.module.css', ['.badge', '.skeleton']],
  ['ui/Overlay.module.css', ['.item[data-focused]', '.item[data-selected]']],
  ['ui/Office.module.css', ['.progress']],
])('%s keeps control and state where the system forces its colors', (path, selectors) => {
  const rules = forced(path);
  for (const selector of selectors) expect(rules).toContain(selector);
});

/** What a stylesheet says first of a selector. */
const rule = (path: string, selector: string) =>
  css(path)
    .split('}')
    .find(one => one.trim().startsWith(`${selector} {`)) ?? '';

it('a card has its names whole, in as many lines as they take, and never beyond its edge', () => {
  const path = 'map/stage/cards.module.css';
  expect(rule(path, '.names')).toContain('min-width: 0;');
  expect(rule(path, '.names')).toContain('overflow-wrap: anywhere;');
  for (const selector of ['.names', '.title', '.card h2', '.card h2 small']) {
    expect(rule(path, selector)).not.toMatch(/nowrap|ellipsis/);
  }
  expect(rule(path, '.card h2')).not.toBe('');
});

it('where the map is low its controls stand in columns, and its credits below the chip', () => {
  const path = 'map/stage/map.module.css';
  expect(rule(path, '.controls')).toMatch(/top: calc\(12px \+ .*--from-top.*bottom: calc\(34px \+ .*--from-bottom/s);
  expect(rule(path, '.bar')).toContain('flex-flow: column wrap-reverse;');
  expect(rule(path, '.bar')).toContain('max-height: 100%;');
  expect(rule(path, '.foot')).toContain('flex-wrap: wrap;');
});

it('every custom property that a stylesheet asks for is set somewhere', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const text = (ends: RegExp) => files.filter(name => ends.test(name) && !/\.test\.tsx?$/.test(name)).map(css);
  const set = new Set(
    text(/\.(css|tsx?)$/).flatMap(one => [...one.matchAll(/(--[\w-]+)(?:['"]?\]?\s*:|['"]\s*,)/g)].map(m => m[1])),
  );
  set.add('--trigger-width'); // react-aria measures it
  const asked = text(/\.css$/).flatMap(one => [...one.matchAll(/var\((--[\w-]+)/g)].map(m => m[1]));
  expect(asked.length).toBeGreaterThan(100);
  expect(asked.filter(name => !set.has(name))).toEqual([]);
});

/** What the rules of single classes set, by class. */
function setByClass(path: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, selectors = '', body = ''] of css(path).matchAll(/([^{}]+)\{([^{}]*)\}/g))
    for (const one of selectors.split(',')) {
      const name = /^\s*\.([\w-]+)\s*$/.exec(one)?.[1];
      if (!name) continue;
      const properties = found.get(name) ?? new Set();
      for (const line of body.split(';')) if (line.includes(':')) properties.add(line.split(':')[0]?.trim() ?? '');
      found.set(name, properties);
    }
  return found;
}

// Which stylesheet comes last depends on which page was opened first: an area's star stood below its row.
it('no element takes the same property from two stylesheets of the same weight', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name =>
    /(?<!\.test)\.tsx$/.test(name),
  );
  const clashes = files.flatMap(name => {
    const text = readFileSync(`src/${name}`, 'utf8');
    const sheets = new Map(
      [...text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].map(([, as = '', path = '']) => [
        as,
        setByClass(path.startsWith('~/') ? path.slice(2) : normalize(join(dirname(name), path))),
      ]),
    );
    return [...text.matchAll(/cx\(((?:[^()]|\([^()]*\))*)\)/g)].flatMap(([, list = '']) => {
      const classes = [...list.matchAll(/\b(\w+)\.(\w+)\b/g)].filter(([, sheet = '']) => sheets.has(sheet));
      return classes.flatMap(([one, sheet = '', name = ''], i) =>
        classes.slice(i + 1).flatMap(([other, itsSheet = '', itsName = '']) => {
          const its = sheets.get(itsSheet)?.get(itsName);
          const both = [...(sheets.get(sheet)?.get(name) ?? [])].filter(property => its?.has(property));
          return sheet === itsSheet || both.length === 0 ? [] : [`${one} and ${other}: ${both.join(', ')}`];
        }),
      );
    });
  });
  expect(clashes).toEqual([]);
});
