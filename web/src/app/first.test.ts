// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import '~/features/drive/alertSource';
import '~/features/signin/mailedLink';
import './signInLink';

const first = readFileSync('public/first.js', 'utf8');
const run = (system: 'dark' | 'light') => {
  vi.stubGlobal('matchMedia', () => ({ matches: system === 'light' }));
  new Function(first)();
};

beforeEach(() => {
  localStorage.clear();
  delete window.lightbarLink;
  delete window.lightbarMailedLink;
  delete window.lightbarDriveKey;
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
// spec: D.wire.11
it('takes the tokens of a sign-in link out of the address and leaves the rest', () => {
  history.replaceState(null, '', '/welcome/signin?access_token=aaa&refresh_token=bbb&origin=%2Fdashboard%2Fthings#x');
  run('dark');
  expect(location.href).toMatch(/\/welcome\/signin\?origin=%2Fdashboard%2Fthings#x$/);
  expect(window.lightbarLink).toEqual({ access: 'aaa', refresh: 'bbb' });
});

// spec: 2.pub.08 2.pub.09
it.each(['reset', 'unlock', 'invite'] as const)('takes the token of a mailed %s link out of the address', kind => {
  history.replaceState(null, '', `/welcome/${kind}/dana%40fire.example/lb_abc-123`);
  const entries = history.length;
  run('dark');
  expect(location.pathname).toBe(`/welcome/${kind}/dana%40fire.example`);
  expect(history.length).toBe(entries);
  expect(window.lightbarMailedLink).toEqual({ kind, token: 'lb_abc-123' });
});

// spec: 2.pub.08 2.pub.09
it.each(['reset', 'unlock', 'invite', 'closure'] as const)('takes the token of a %s link out of the fragment', kind => {
  history.replaceState(null, '', `/welcome/${kind}/dana%40fire.example?origin=%2Fdashboard#lb_abc-123`);
  const entries = history.length;
  run('dark');
  expect(location.href).toMatch(new RegExp(`/welcome/${kind}/dana%40fire.example\\?origin=%2Fdashboard$`));
  expect(history.length).toBe(entries);
  expect(window.lightbarMailedLink).toEqual({ kind, token: 'lb_abc-123' });
});

it('takes the key of a drivers’ page out of the fragment', () => {
  history.replaceState(null, '', '/drive/o1#key=lb_abc-123');
  const entries = history.length;
  run('dark');
  expect(location.href).toMatch(/\/drive\/o1$/);
  expect(history.length).toBe(entries);
  expect(window.lightbarDriveKey).toBe('lb_abc-123');
});

it('leaves other addresses alone', () => {
  history.replaceState(null, '', '/welcome/forgot/a/b');
  run('dark');
  expect(location.pathname).toBe('/welcome/forgot/a/b');
  history.replaceState(null, '', '/welcome/reset/dana%40fire.example#other');
  run('dark');
  expect(location.hash).toBe('#other');
  expect(window.lightbarMailedLink).toBeUndefined();
});
