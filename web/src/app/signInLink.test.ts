import { expect, it } from 'vitest';
import { takeLinkTokens } from './signInLink';

// spec: 2.pub.06
it('signs in with an access token of more than 400 characters and a refresh token', () => {
  const page = (access: number, refresh: string) =>
    ({ lightbarLink: { access: 'x'.repeat(access), refresh } }) as unknown as Window;
  expect(takeLinkTokens(page(401, 'lb_rt_1'))).toEqual({ access: 'x'.repeat(401), refresh: 'lb_rt_1' });
  expect(takeLinkTokens(page(400, 'lb_rt_1'))).toBeUndefined();
  expect(takeLinkTokens(page(401, ''))).toBeUndefined();
  expect(takeLinkTokens({} as Window)).toBeUndefined();
});

it('gives the tokens away once', () => {
  const page = { lightbarLink: { access: 'x'.repeat(401), refresh: 'lb_rt_1' } } as unknown as Window;
  takeLinkTokens(page);
  expect(takeLinkTokens(page)).toBeUndefined();
  expect(page).not.toHaveProperty('lightbarLink');
});
