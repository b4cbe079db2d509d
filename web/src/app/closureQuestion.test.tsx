// @vitest-environment jsdom

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { replayed } from '~/api/recorded';
import { keepMailedToken } from '~/features/signin/mailedLink';
import { type PublicPage, publicPage } from './welcome.fakes';

const LOOK = '/closure_question';
const ANSWER = '/closure_question/answer';
const TOKEN = 'lb_clq_abc';

let page: PublicPage;
beforeEach(() => {
  page = publicPage();
  keepMailedToken('closure', TOKEN);
});
afterEach(() => {
  page.close();
  delete window.lightbarMailedLink;
});

/** The page of a link, about which the server says what is recorded. */
async function visit(look: Parameters<typeof replayed>[0], sees: string) {
  page.answer(LOOK, () => replayed(look));
  await page.visit('/welcome/closure/dana%40fire.example');
  await page.sees(sees);
}

const buttons = () => [...page.host.querySelectorAll('button')].map(one => one.textContent);
const answers = () => page.asked.filter(one => one.path === ANSWER).map(one => one.body);

it('shows what is asked, by the clock of the organization, and answers nothing by itself', async () => {
  await visit('lookUpClosureQuestion.ok', 'Still There');
  for (const text of ['Paving', 'I-95 Northbound', 'Exit 5 to Exit 7', 'Harbor County', '21-Nov-26 9:40 AM'])
    expect(page.host.textContent).toContain(text);
  expect(page.status()).toMatch(/^Without an answer, it ends at .*3:10 PM\.$/);
  expect(buttons()).toEqual(['Still There', 'Finished']);
  const moved = [...page.host.querySelectorAll('a')].find(one => one.textContent === 'Moved');
  expect(moved?.getAttribute('href')).toMatch(/^\/dashboard\/closures\/[0-9a-f-]+\/edit$/);
  expect(page.asked).toEqual([{ method: 'POST', path: LOOK, body: { token: TOKEN } }]);
});

it('answers once, and says what then is', async () => {
  await visit('lookUpClosureQuestion.ok', 'Still There');
  page.answer(ANSWER, () => replayed('answerClosureQuestion.still'));
  page.press('Still There');
  await vi.waitFor(() => expect(page.status()).toMatch(/^Still in place: confirmed by you at .*1:40 PM\.$/));
  expect(answers()).toEqual([{ token: TOKEN, answer: 'still' }]);
  expect(buttons()).toEqual([]);
  page.close();
  page = publicPage();
  await visit('lookUpClosureQuestion.ok', 'Still There');
  page.answer(ANSWER, () => replayed('answerClosureQuestion.finished'));
  page.press('Finished');
  await vi.waitFor(() => expect(page.status()).toMatch(/^Ended manually by you at /));
  expect(answers()).toEqual([{ token: TOKEN, answer: 'finished' }]);
});

it('tells who comes second that their answer changed nothing', async () => {
  await visit('lookUpClosureQuestion.ok', 'Still There');
  page.answer(ANSWER, () => replayed('answerClosureQuestion.late'));
  page.press('Finished');
  await vi.waitFor(() =>
    expect(page.status()).toMatch(/confirmed by .+\. Your answer came later, so it wasn't used\.$/),
  );
  expect(page.status()).not.toContain('by you');
});

it.each([
  ['lookUpClosureQuestion.unanswered', 'Ended: not confirmed'],
  ['lookUpClosureQuestion.deleted', 'The closure was removed by you'],
] as const)('%s: says that there is nothing to answer', async (look, sees) => {
  await visit(look, sees);
  expect(buttons()).toEqual([]);
});

it.each([
  ['lookUpClosureQuestion.question_expired', "This link doesn't work anymore."],
  ['lookUpClosureQuestion.question_revoked', "You can't answer for this closure anymore."],
] as const)('%s: says so, and where to sign in', async (look, sees) => {
  await visit(look, sees);
  expect(page.alert()).toBe(sees);
  expect(buttons()).toEqual([]);
  page.press('Sign in');
  await vi.waitFor(() => expect(page.router.state.location.pathname).toBe('/welcome/signin'));
});

it('keeps the buttons where an answer did not arrive', async () => {
  await visit('lookUpClosureQuestion.ok', 'Still There');
  page.answer(ANSWER, () => Promise.reject(new TypeError('down')));
  page.press('Finished');
  await vi.waitFor(() => expect(page.alert()).toBe('Connection failed.'));
  expect(buttons()).toEqual(['Still There', 'Finished']);
});

it('says that a link was cut', async () => {
  delete window.lightbarMailedLink;
  await page.visit('/welcome/closure/dana%40fire.example');
  await page.sees('This link is incomplete.');
  expect(page.asked).toEqual([]);
});
