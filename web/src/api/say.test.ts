import errors from '@catalog/errors.json';
import catalog from '@catalog/texts.json';
import { describe, expect, it } from 'vitest';
import { Failure, failureOf } from './failure';
import { replayed } from './recorded';
import { fill, nameProduct, type Operation, say, texts } from './say';

const failure = (status: number, code = '', message = '', description?: string) =>
  new Failure({ status, code, message, ...(description ? { description } : {}) });

type Row = readonly [id: string, operation: Operation, failure: Failure, text: string];

// Every text of requirements 8 that screens of today show, as written there: full stop or none.
const rows: readonly Row[] = [
  ['8.signin.01', 'signin', failure(0), 'Connection failed.'],
  ['8.signin.02', 'signin', failure(400, 'user_suspended'), 'User is suspended.'],
  ['8.signin.03', 'signin', failure(400, 'invalid_grant'), 'Email and/or password incorrect.'],
  ['8.signin.03', 'signin', failure(404), 'Email and/or password incorrect.'],
  [
    '8.signin.04',
    'signin',
    failure(403, 'cross_origin', 'something of the server'),
    'Your user is not authorized to access Safety Cloud Dashboard.',
  ],
  [
    'D.brand.01',
    'signin',
    failure(403, 'dashboard_forbidden', 'Your user is not authorized to access County Map Dashboard.'),
    'Your user is not authorized to access County Map Dashboard.',
  ],
  [
    '8.signin.05',
    'signin',
    failure(401, 'expired'),
    'Your account has expired due to inactivity. Please contact the provider to restore your account.',
  ],
  [
    '8.signin.06',
    'signin',
    failure(401, 'not_authorized_method'),
    'Your organization is managing user access to the Safety Cloud dashboard. Please contact your administrator for access.',
  ],
  ...(['forgot', 'reset', 'invite'] as const).map(
    operation =>
      [
        '8.signin.06',
        operation,
        failure(401, 'not_authorized_method'),
        'Your organization is managing user access to the Safety Cloud dashboard. Please contact your administrator for access.',
      ] as const,
  ),
  ['8.signin.07', 'signin', failure(401, 'user_suspended'), 'User is suspended.'],
  [
    '8.signin.08',
    'signin',
    failure(401, 'not_safetycloud_enabled'),
    'Your user is not authorized to access Safety Cloud Dashboard.',
  ],
  ['8.signin.09', 'signin', failure(401, 'locked_out', 'm', 'Wait 9 minutes.'), 'Wait 9 minutes.'],
  ['8.signin.10', 'signin', failure(401, 'something_new', 'A server sentence'), 'Unknown failure.'],
  ['8.token.01', 'token', failure(0), 'Connection failed.'],
  ['8.token.01', 'token', failure(422), 'Access token is expired or does not exist.'],
  ['8.token.01', 'token', failure(418), 'Unknown failure.'],
  ['8.location.01', 'rows.load', failure(0), 'Connection failed'],
  ['8.location.01', 'rows.load', failure(404), 'Organization not found'],
  ['8.location.01', 'rows.load', failure(400), 'Unknown failure'],
  [
    '8.closure.04',
    'closure.save',
    failure(422, '', 'The closure is not managed here.'),
    'Closure not managed by Dashboard',
  ],
  ['8.area.02', 'area.save', failure(422, '', 'The shape is invalid: 2 points.'), 'Exclusion shape is invalid'],
  [
    '8.area.03',
    'area.save',
    failure(422, '', 'It is too large.'),
    'Polygon area is too large, please keep area under .5 square miles',
  ],
  ['8.asset.01', 'thing.update', failure(0), 'Connection failed'],
  ['8.asset.02', 'thing.update', failure(422, '', 'The asset was not found.'), 'Asset not found'],
  ['8.asset.02', 'thing.associations', failure(422, 'thing_not_found', 'Asset not found'), 'Asset not found'],
  // Words that another code's sentence has as well say nothing.
  [
    '8.asset.02',
    'thing.associations',
    failure(422, 'organization_not_found', 'Organization not found'),
    'Organization not found',
  ],
  ['8.asset.03', 'thing.update', failure(422, '', 'This nickname is taken.'), 'Asset nickname cannot be updated'],
  ['8.asset.04', 'thing.update', failure(422, '', 'Too many identifiers.'), 'Too many identifiers.'],
  ['8.asset.05', 'thing.update', failure(400), 'Unknown failure'],
  ['8.asset.06', 'things.load', failure(0), 'Connection failed'],
  ['8.asset.06', 'things.load', failure(404), 'Asset not found'],
  ['8.asset.07', 'things.load', failure(422, '', 'Timed out'), 'Request timed out'],
  ['8.asset.07', 'things.load', failure(422, '', 'other'), 'Something went wrong'],
  ['8.asset.08', 'things.load', failure(400), 'Unknown failure'],
  ['8.generic.01', 'generic', failure(418), 'Unknown failure.'],
  ['8.generic.02', 'generic', failure(400, '', 'That cannot be.'), 'That cannot be.'],
  ['8.generic.01', 'generic', failure(0), 'Connection failed.'],
];

// spec: D.brand.01
it('names the product as the installation does in every text that names it', () => {
  const refused = failure(403, 'cross_origin');
  nameProduct('County Map');
  expect(say('signin', refused)).toBe('Your user is not authorized to access County Map Dashboard.');
  nameProduct('Safety Cloud');
  // A text that holds the name itself would name another product than the installation's.
  expect(JSON.stringify(catalog)).not.toContain('Safety Cloud');
});

describe('say', () => {
  it.each(rows)('spec: %s %s %o', (_id, operation, thrown, text) => {
    expect(say(operation, thrown)).toBe(text);
  });

  // spec: D.wire (decisions.md, Errors: no text listed)
  it.each([403, 409, 429, 500, 503])('shows the server sentence of %i where no text is listed', status => {
    expect(say('thing.update', failure(status, '', 'Somebody was faster.'))).toBe('Somebody was faster.');
    expect(say('thing.update', failure(status))).toBe('Unknown failure');
  });

  it('names whoever refused a request as too large that our server never saw, in every operation', () => {
    const page = failureOf(413, '<html><h1>413 Request Entity Too Large</h1></html>', new Headers());
    const ours = failureOf(413, { error: 'too_large', message: 'The request is too large.' }, new Headers());
    const proxy = 'A proxy in front of the server refused this because it is too large.';
    const operations = Object.entries(catalog.operations).filter(([, texts]) => !('always' in texts));
    for (const [operation] of operations) {
      expect(say(operation as Operation, page)).toBe(proxy);
      expect(say(operation as Operation, ours)).not.toBe(proxy);
    }
    expect(say('areas.file', ours)).toBe('The request is too large.');
  });

  it('takes anything that was thrown', () => {
    expect(say('things.load', new TypeError('x is not a function'))).toBe('Unknown failure');
  });
});

// What this server really answers: the code and the field choose the text, whatever words the sentence has.
describe('say of recorded answers', () => {
  const sentAsItIs = [
    'updateThing.validation_failed',
    'updateThing.validation_failed.plate',
    'updateOrganization.conflict',
  ];

  it.each([
    ['updateThing.thing_not_found', 'thing.update', 'Asset not found'],
    ['updateThing.validation_failed.nickname', 'thing.update', 'Asset nickname cannot be updated'],
    ['updateThing.validation_failed.plate', 'thing.update', 'Must be 50 or fewer characters'],
    ['updateThing.validation_failed', 'thing.update', 'Please check the marked fields.'],
    ['createUser.email_in_use', 'user.add', 'Email is already in use. Please try another one.'],
    ['updateUser.user_not_found', 'user.update', 'The selected user could not be found'],
    ['resetPassword.password_reused', 'reset', 'Cannot be same as last 10 passwords.'],
    ['resetPassword.reset_token_expired', 'reset', 'Reset token is expired or does not exist.'],
    ['resetPassword.password_rules', 'reset', 'Password does not fulfill password requirements.'],
    ['verifyToken.token_not_verified', 'token', 'Access token is expired or does not exist.'],
    [
      'updateOrganization.conflict',
      'organization.edit',
      'Someone else changed this organization while you were editing.',
    ],
  ] as const)('%s: %s says "%s"', async (name, operation, text) => {
    const answer = replayed(name);
    const body: Record<string, unknown> = await answer.json();
    expect(say(operation, failureOf(answer.status, body, answer.headers))).toBe(text);
    const message = 'The same nickname, expired: find Email, not found. Timed out.';
    const reworded = failureOf(answer.status, { ...body, message }, answer.headers);
    expect(say(operation, reworded)).toBe(sentAsItIs.includes(name) ? message : text);
  });

  it('takes no text by words that a coded answer happens to have', () => {
    const said = failure(422, 'wrong_type', 'A nickname that was not found. Timed out.');
    expect(say('thing.update', said)).toBe(said.message);
    expect(say('things.load', said)).toBe('Something went wrong');
    expect(say('things.load', failure(408, 'timed_out', 'Too slow.'))).toBe('Request timed out');
  });
});

describe('the table', () => {
  it('asks for no code that the server does not know', () => {
    const asked = Object.values(catalog.operations).flatMap(({ rules }) =>
      rules.flatMap((rule: { code?: string }) => rule.code ?? []),
    );
    expect(asked.filter(code => !Object.hasOwn(errors, code))).toEqual([]);
    expect(asked.length).toBeGreaterThan(10);
  });
});

describe('failureOf', () => {
  it('reads the whole error answer', () => {
    const body = {
      error: 'validation_failed',
      message: 'Please check the marked fields.',
      fields: { nickname: 'Required', odd: 7 },
      current: { version: 3 },
      request_id: 'r-1',
    };
    const read = failureOf(422, body, new Headers({ 'Retry-After': '5' }));
    expect(read).toMatchObject({
      status: 422,
      code: 'validation_failed',
      message: 'Please check the marked fields.',
      fields: { nickname: 'Required' },
      current: { version: 3 },
      requestId: 'r-1',
      retryAfterS: 5,
    });
  });

  it('keeps the status alone of a body that is not ours', () => {
    const read = failureOf(502, '<html>', new Headers());
    expect(read).toMatchObject({ status: 502, code: '', message: '', requestId: undefined, retryAfterS: undefined });
    expect(read.isPassing).toBe(true);
  });
});

describe('fixed texts', () => {
  it('stand as the requirements write them', () => {
    // spec: 8.session.01 8.session.02 8.session.03 8.session.04 8.session.05
    const { elsewhereText: _ours, endedText: _too, ...fixed } = texts.session;
    expect(fixed).toEqual({
      invalidTitle: 'Invalid Credentials',
      invalidText: 'Organization was changed, please log back in.',
      errorTitle: 'Error',
      errorText: 'Please log back in.',
      expiredTitle: 'Session Expired',
      expiredText: 'Please log in to Dashboard again',
      idleTitle: 'Inactivity Warning',
      idleText: 'Session has been inactive too long.',
      idleButton: 'Stay Signed In',
      idleExpiredTitle: 'Session Expired - Activity',
    });
    // spec: 8.signin.13 8.signin.15
    expect(texts.signin).toMatchObject({
      pending: 'Pending...',
      inboxSuccess: 'Success! Check your inbox',
      success: "Success! You're being redirected...",
    });
    expect(texts.empty).toEqual({
      list: 'No results found.',
      location: 'Unable to find location.',
      options: 'No Options',
    });
  });

  it('are filled in by name', () => {
    expect(fill('Write to {email} or {nobody}.', { email: 'a@b.example' })).toBe('Write to a@b.example or {nobody}.');
  });
});
