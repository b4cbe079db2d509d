import { expect, it } from 'vitest';
import { takeLinkToken } from './signInLink';

// spec: 2.pub.06
it('signs in with an access token of more than 400 characters and a refresh token', () => {
  const page = (access: number, refresh: string) =>
    ({ lightbarLink: { access: 'x'.repeat(access), refresh } }) as unknown as Window;
  expect(takeLinkToken(page(401, 'lb_rt_1'))).toBe('lb_rt_1');
  expect(takeLinkToken(page(400, 'lb_rt_1'))).toBeUndefined();
  expect(takeLinkToken(page(401, ''))).toBeUndefined();
  expect(takeLinkToken({} as Window)).toBeUndefined();
});

it('gives the token away once', () => {
  const page = { lightbarLink: { access: 'x'.repeat(401), refresh: 'lb_rt_1' } } as unknown as Window;
  takeLinkToken(page);
  expect(takeLinkToken(page)).toBeUndefined();
  expect(page).not.toHaveProperty('lightbarLink');
});
