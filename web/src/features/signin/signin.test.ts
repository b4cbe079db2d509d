import { describe, expect, it } from 'vitest';
import { Failure } from '~/api';
import { signInSchema } from './form';
import { outcomeOf } from './outcome';

const failure = (status: number, code = '') => new Failure({ status, code, message: '' });
const problems = (form: { email: string; password: string }) => {
  const read = signInSchema.safeParse(form);
  return read.success ? {} : Object.fromEntries(read.error.issues.map(issue => [issue.path[0], issue.message]));
};

describe('form', () => {
  // spec: 5.signin.01 5.signin.03 5.general.01
  it('requires both', () => {
    expect(problems({ email: '  ', password: '' })).toEqual({ email: 'Required', password: 'Required' });
  });

  // spec: 5.signin.02
  it.each(['abc', 'a b@c.example', 'a@b', '@b.example'])('refuses %s', email => {
    expect(problems({ email, password: 'x' })).toEqual({ email: 'Must be a valid email' });
  });

  it('trims the address, not the password', () => {
    expect(signInSchema.parse({ email: ' a@b.example ', password: ' x ' })).toEqual({
      email: 'a@b.example',
      password: ' x ',
    });
  });
});

describe('outcome', () => {
  // spec: 8.signin.11
  it('shortens the text about inactivity', () => {
    expect(outcomeOf(failure(401, 'expired'))).toEqual({
      text: 'Your account has expired due to inactivity.',
      contactSupport: false,
      forgot: true,
      unlock: false,
    });
  });

  // spec: 8.signin.12
  it.each([failure(400, 'user_suspended'), failure(403), failure(401, 'not_safetycloud_enabled')])(
    'names the support where nobody else can help',
    thrown => {
      expect(outcomeOf(thrown).contactSupport).toBe(true);
    },
  );

  it('does not where a second try helps', () => {
    expect(outcomeOf(failure(400))).toEqual({
      text: 'Email and/or password incorrect.',
      contactSupport: false,
      forgot: false,
      unlock: false,
    });
  });
});
