import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FirstPaint } from './screens';

it('the very first page paint has the mark where the app has it while it asks who is there', () => {
  const html = readFileSync('index.html', 'utf8');
  const [, painted = ''] = /<div id="root">(.*)<\/div>\s*<script/s.exec(html) ?? [];
  expect(painted).toContain('<div class="first-paint"><span class="light-bar">');
  expect(renderToStaticMarkup(<FirstPaint />)).toMatch(/^<div class="first-paint"[^>]*><span class="light-bar"/);
  expect(readFileSync('src/ui/base.css', 'utf8')).toContain('.first-paint {');
});
