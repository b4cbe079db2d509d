import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { api, asFailure, type Schemas, say, texts } from '~/api';
import { countOf } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import { needed } from '~/model/rules';
import { resource } from '~/office';

/** An API key as its administrators see it: never the secret. */
export type Key = Schemas['Key'];

export const keys = resource('key', { list: 'GET /keys' });

/** The changes an administrator makes; both may ask who is there first. */
export function useKeyMutations() {
  const { changed } = keys.useWrites();
  return {
    create: (body: Schemas['KeyCreate']) => changed(api.data('POST /keys', { body })),
    revoke: (id: string) => changed(api.delete('DELETE /keys/{id}', { id })),
  };
}

const SCOPES: Readonly<Record<string, string>> = {
  ingest: 'reports',
  register: 'registers assets',
  feeds: 'reads feeds',
  alerts: 'reads alerts',
};

/** What a key does, as a sentence without its begin: "reports, registers assets". */
export const usesOf = (key: Pick<Key, 'scopes'>): string => key.scopes.map(scope => SCOPES[scope] ?? scope).join(', ');

/** How a key stands: works, or why not. */
export function keyStatus(key: Key, now: Instant): { text: string; tone: 'good' | 'warn' | 'neutral' } {
  const ends = instantOf(key.expires_at);
  if (key.revoked_at !== null) return { text: 'Revoked', tone: 'neutral' };
  if (ends > 0 && ends <= now) return { text: 'Expired', tone: 'warn' };
  if (!key.works) return { text: 'Inactive: its user no longer has API key access', tone: 'warn' };
  const days = Math.ceil((ends - now) / 86_400_000);
  if (ends === 0 || days > 14) return { text: 'Active', tone: 'good' };
  return { text: `Expires in ${countOf(days, 'day')}`, tone: 'warn' };
}

/** What a new key is for. */
export const kinds = [
  { id: 'all', label: 'All assets' },
  { id: 'one', label: 'One asset' },
] as const;

/** What a new key of an organization may be used for: its scopes. */
export const uses = [
  { id: 'ingest', label: 'Report' },
  { id: 'ingest register', label: 'Report and register' },
  { id: 'register', label: 'Register' },
  { id: 'feeds', label: 'Read feeds' },
  { id: 'alerts', label: 'Read alerts' },
] as const;

/** Lives that a new key may have, in days. */
export const lives = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: '1 year' },
  { id: 'never', label: 'Never' },
] as const;

/** The rules of a new key. */
export const keySchema = z
  .object({
    description: needed(limits.text.description.value),
    kind: z.enum(['all', 'one']),
    thing_id: z.string(),
    scopes: z.string(),
    life: z.string(),
  })
  .check(
    z.refine(({ kind, thing_id }) => kind === 'all' || thing_id !== '', {
      path: ['thing_id'],
      error: texts.validation.required,
    }),
  );

export const blank = { description: '', kind: 'all', thing_id: '', scopes: 'ingest', life: '365' } as const;

/** The body of POST /keys; a year is what the server takes when nothing is said. */
export function newKeyOf(form: z.infer<typeof keySchema>, organizationId: string, now: Instant): Schemas['KeyCreate'] {
  return {
    description: form.description,
    organization_id: organizationId,
    ...(form.kind === 'one' ? { thing_id: form.thing_id } : { scopes: form.scopes.split(' ') }),
    ...lifeOf(form.life, now),
  };
}

function lifeOf(life: string, now: Instant): Pick<Schemas['KeyCreate'], 'expires_at' | 'never_ends'> {
  if (life === '365') return {};
  if (life === 'never') return { never_ends: true };
  return { expires_at: new Date(now + Number(life) * 86_400_000).toISOString() };
}

export const sayKey = (error: unknown): string =>
  asFailure(error).code === 'key_limit' ? texts.apiKeys.limit : say('generic', error);
