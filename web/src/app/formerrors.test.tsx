// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PublicPage, publicPage } from './welcome.fakes';

let page: PublicPage;
beforeEach(() => {
  page = publicPage();
});
afterEach(() => {
  delete window.lightbarMailedLink;
  page.close();
});

/** Goes into a field, perhaps types, and leaves it. */
function through(label: string, typed?: string) {
  const input = page.field(label);
  input.focus();
  if (typed !== undefined) page.type(label, typed);
  input.blur();
}
/** What a passing look would show: a turn of the page later. */
const settled = () => new Promise(done => setTimeout(done, 50));

const RESET = '/welcome/reset/dana%40fire.example';

describe('errors of a field', () => {
  // spec: 5.general.02
  it.each([
    ['/welcome/signin', 'Email', 'nobody', 'Must be a valid email'],
    ['/welcome/forgot', 'Email', 'nobody', 'Must be a valid email'],
    [RESET, 'Confirm password', 'other', 'Should match password'],
  ])(
    'of %s, %s: none when it was only passed through, one once it was changed',
    async (address, label, typed, words) => {
      window.lightbarMailedLink = { kind: 'reset', token: 'lb_rst_1' };
      await page.visit(address);
      await page.sees(label);
      through(label);
      await settled();
      expect(page.host.querySelector('[aria-invalid=true]')).toBeNull();
      expect(page.host.textContent).not.toContain('Required');
      through(label, typed);
      await page.sees(words);
    },
  );

  // spec: 5.general.02
  it.each(['/welcome/signin', '/welcome/forgot'])('of %s show after a submit that failed', async address => {
    await page.visit(address);
    await page.sees('Email');
    page.submit();
    await page.sees('Required');
  });

  // spec: 5.general.02
  it('of a second factor: none when it was only passed through, one after a submit', async () => {
    page.refuse('/user_token', 'createUserToken.mfa_required', { methods: ['totp'] });
    await page.visit('/welcome/signin');
    await page.sees('Email');
    page.type('Email', 'dana@fire.example');
    page.type('Password', 'x');
    page.submit();
    await page.sees("Confirm it's you");
    through('Code');
    await settled();
    expect(page.host.textContent).not.toContain('Required');
    page.submit();
    await page.sees('Required');
  });
});
