import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import { profileMutations } from './queries';

afterEach(() => vi.unstubAllGlobals());

it('shows the recovery codes, which come once, whatever the profile answers', async () => {
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('/session/totp')
      ? answered('confirmTOTP.ok', { recovery_codes: ['aaaa', 'bbbb'] })
      : replayed('updateOwnOrganization.busy'),
  );
  await expect(profileMutations(new QueryClient()).confirmTotp('123456')).resolves.toEqual(['aaaa', 'bbbb']);
});
