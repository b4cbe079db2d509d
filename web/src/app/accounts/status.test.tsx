// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recorded, vary } from '~/api/recorded';
import { ADMIN, all, answer, press, type Stage, says, see, signIn, stage } from './testing';

const PATH = '/dashboard/accounts/status';

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  server.answers['GET /organizations/o1/status'] = answer('getConcerns.ok');
});
afterEach(() => server.close());

describe('the status page', () => {
  it('says what needs an administrator, what to do, and where', async () => {
    await server.open(PATH, 'never reported');
    await says('The API key “AVL gateway” ends on Dec-10-2026');
    await says('Create a new key');
    const open = [...document.querySelectorAll('a')].find(link =>
      link.getAttribute('aria-label')?.includes('AVL gateway'),
    );
    expect(open?.getAttribute('href')).toBe('/dashboard/accounts/key');
    expect([...document.querySelectorAll('a')].map(link => link.textContent)).toContain('Engine 4');
    // Nothing of the server to whom it does not belong.
    expect(document.body.textContent).not.toContain('Send test email');
    expect(server.sent.some(call => call.path === '/status')).toBe(false);
  });

  it('says that nothing needs anybody', async () => {
    server.answers['GET /organizations/o1/status'] = answer(
      'getConcerns.ok',
      vary(recorded('getConcerns.ok').data, { concerns: [] }),
    );
    await server.open(PATH, 'Nothing needs you.');
  });

  it('names the closures that readers of the feeds miss', async () => {
    server.answers['GET /organizations/o1/status'] = answer('getConcerns.publishing');
    await server.open(PATH, 'Your public feeds show no active closure, and 1 closure is active and not published');
    const closure = recorded('getConcerns.publishing').data.concerns.flatMap(one => one.closures)[0];
    const link = [...document.querySelectorAll('a')].find(one => one.textContent === 'Paving');
    expect(link?.getAttribute('href')).toBe(`/dashboard/closures/${closure?.id}`);
  });

  it('lets each say whether they are mailed', async () => {
    server.answers['PUT /status/mail'] = answer('chooseStatusMail.ok', { mail: false });
    await server.open(PATH, 'Email me');
    all('label', 'Email me')[0]?.querySelector('input')?.click();
    await see(() => expect(server.writes()).toMatchObject([{ path: '/status/mail', body: { mail: false } }]));
  });

  it('tells whoever runs the server of it, and what a mail server says to a test', async () => {
    signIn([...ADMIN, 'haas:manage']);
    server.answers['GET /status'] = answer('getServerStatus.elsewhere');
    server.answers['POST /status/test_mail'] = answer(
      'sendTestMail.ok',
      vary(recorded('sendTestMail.ok').data, {
        state: 'refused',
        answer: '550 5.7.1 relaying denied',
        to: 'ann@fire.example',
      }),
    );
    await server.open(PATH, 'No mail server is set up');
    await press('Send test email', 'button');
    await says('The mail server refused the test email to ann@fire.example.');
    await says('550 5.7.1 relaying denied');
    await see(() => expect(server.writes()).toHaveLength(1));
  });
});
