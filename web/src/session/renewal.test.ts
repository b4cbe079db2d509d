import { expect, it } from 'vitest';
import { bundleOf } from './renewal';

// spec: 3.token.01 3.token.02 7.auth.03
it('reckons the end of a token in milliseconds from its seconds', () => {
  const answer = {
    access_token: 'a',
    refresh_token: 'r',
    token_type: 'Bearer',
    created_at: 1_795_255_200,
    expires_in: 14_400,
  };
  expect(bundleOf(answer)).toEqual({ access: 'a', issuedAt: 1_795_255_200_000, expiresAt: 1_795_269_600_000 });
});
