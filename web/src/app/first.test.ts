// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';

const first = readFileSync('public/first.js', 'utf8');
const run = (system: 'dark' | 'light') => {
  vi.stubGlobal('matchMedia', () => ({ matches: system === 'light' }));
  new Function(first)();
};

beforeEach(() => {
  localStorage.clear();
  delete window.lightbarLink;
  history.replaceState(null, '', '/welcome/signin');
});

it('takes the stored theme before the system one, and survives damage', () => {
  run('light');
  expect(document.documentElement.dataset.theme).toBe('light');
  localStorage.setItem('lightbar.preferences', '{"theme":"dark"}');
  run('light');
  expect(document.documentElement.dataset.theme).toBe('dark');
  localStorage.setItem('lightbar.preferences', '{broken');
  run('dark');
  expect(document.documentElement.dataset.theme).toBe('dark');
});

// spec: 2.pub.06
it('takes the tokens of a sign-in link out of the address and leaves the rest', () => {
  history.replaceState(null, '', '/welcome/signin?access_token=aaa&refresh_token=bbb&origin=%2Fdashboard%2Fthings#x');
  run('dark');
  expect(location.href).toMatch(/\/welcome\/signin\?origin=%2Fdashboard%2Fthings#x$/);
  expect(window.lightbarLink).toEqual({ access: 'aaa', refresh: 'bbb' });
});
