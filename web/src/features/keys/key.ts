import type { Schemas } from '~/api';
import { type Instant, instantOf } from '~/model/instant';

export type WireKey = Schemas['Key'];

/** An API key as its administrators see it: never the secret. */
export interface Key {
  id: string;
  description: string;
  /** The first characters of the secret, to recognize it. */
  prefix: string;
  /** '' = all assets of the organization. */
  thingName: string;
  isForOneAsset: boolean;
  /** What it may be used for; none for a key of one asset, which reports for it. */
  scopes: readonly string[];
  userName: string;
  createdAt: Instant;
  /** 0 = until revoked. */
  expiresAt: Instant;
  lastUsedAt: Instant;
  revokedAt: Instant;
  works: boolean;
}

export function keyOf(wire: WireKey): Key {
  return {
    id: wire.id,
    description: wire.description,
    prefix: wire.prefix,
    thingName: wire.thing_name,
    isForOneAsset: wire.thing_id !== null,
    scopes: wire.scopes,
    userName: wire.user_name,
    createdAt: instantOf(wire.created_date),
    expiresAt: instantOf(wire.expires_at),
    lastUsedAt: instantOf(wire.last_used_at),
    revokedAt: instantOf(wire.revoked_at),
    works: wire.works,
  };
}

const SCOPES: Readonly<Record<string, string>> = { ingest: 'reports', register: 'registers assets' };

/** What a key does, as a sentence without its begin: "reports, registers assets". */
export const usesOf = (key: Key): string => key.scopes.map(scope => SCOPES[scope] ?? scope).join(', ');

/** What a new key of an organization may be used for. */
export const uses = [
  { id: 'ingest', label: 'Report', scopes: ['ingest'] },
  { id: 'both', label: 'Report and register', scopes: ['ingest', 'register'] },
  { id: 'register', label: 'Register', scopes: ['register'] },
] as const;

export type Use = (typeof uses)[number]['id'];

export const scopesOf = (use: Use): string[] => [...(uses.find(({ id }) => id === use)?.scopes ?? [])];

/** How a key stands: works, or why not. */
export function standingOf(key: Key, now: Instant): { text: string; tone: 'good' | 'warn' | 'neutral' } {
  if (key.revokedAt > 0) return { text: 'Revoked', tone: 'neutral' };
  if (key.expiresAt > 0 && key.expiresAt <= now) return { text: 'Expired', tone: 'warn' };
  if (!key.works) return { text: 'Inactive: its user no longer has API key access', tone: 'warn' };
  const days = Math.ceil((key.expiresAt - now) / 86_400_000);
  if (key.expiresAt > 0 && days <= 14)
    return { text: `Expires in ${days} ${days === 1 ? 'day' : 'days'}`, tone: 'warn' };
  return { text: 'Active', tone: 'good' };
}

/** Lives a new key may have; at most a year. */
export const lives = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: '1 year' },
] as const;

export type Life = (typeof lives)[number]['id'];

/** The end of a new key, RFC 3339; undefined for the longest there is, which the server knows best. */
export const endOf = (life: Life, now: Instant): string | undefined =>
  life === '365' ? undefined : new Date(now + Number(life) * 86_400_000).toISOString();
