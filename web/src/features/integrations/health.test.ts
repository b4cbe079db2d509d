import { expect, it } from 'vitest';
import { recorded, vary } from '~/api/recorded';
import { countsText, healthText, integrationStatus, isUnstarted, noticeOf, problemText, reasonText } from './health';

const good = recorded('getIntegration.good').data;
const refused = recorded('getIntegration.refused').data;
const paused = recorded('updateIntegration.paused').data;
const waiting = recorded('createIntegration.ok').data;
const unstarted = vary(waiting, { is_active: false, status: 'off' });
const now = Date.UTC(2026, 10, 21, 10, 5, 12);

it('tells what was never started from what is paused, also after an edit that asks anew', () => {
  expect([good, refused, paused, waiting, unstarted].map(isUnstarted)).toEqual([false, false, false, false, true]);
  expect(isUnstarted(vary(paused, { last_fetched_at: null }))).toBe(false);
  expect([good, refused, paused, waiting, unstarted].map(row => integrationStatus(row).text)).toEqual([
    'Good',
    'Not authorized',
    'Paused',
    'Waiting',
    'Not started',
  ]);
});

it('says in one line how each is', () => {
  const text = (row: typeof good) => healthText(row, 'America/New_York', now);
  expect(text(vary(good, { last_fetched_at: '2026-11-21T10:05:00.000Z' }))).toBe('Last fetched 12 s ago');
  expect(text(paused)).toBe('Last fetched 12 s ago');
  expect(text(waiting)).toBe('The first fetch starts in a few seconds');
  expect(text(unstarted)).toBe('Nothing is imported yet');
  expect(text(refused)).toBe('Failing since 5:05 AM: Samsara refuses the token');
});

it('says why, also to who may not read the sentence of an account', () => {
  expect(problemText(vary(refused, { error: null }))).toBe('The provider refuses the account');
  expect(reasonText('too_old')).toBe('More than 30 days old');
  expect(countsText(vary(good, { kept: 1204, refused: { too_old: 2, range: 1 } }))).toBe('1,204 accepted, 3 rejected');
});

it('tells people only what they have to know', () => {
  const notice = (row: typeof good) => noticeOf(row, 'America/New_York', now);
  expect(notice(good)).toBeUndefined();
  expect(notice(unstarted)).toMatchObject({ title: 'Not started', way: 'check' });
  expect(notice(paused)).toMatchObject({ tone: 'info', title: 'Paused' });
  expect(notice(refused)).toMatchObject({ tone: 'danger', way: 'edit' });
  expect(notice(vary(refused, { status: 'failing' }))?.way).toBeUndefined();
});
