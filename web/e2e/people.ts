// What people have besides a browser: a mailbox and an authenticator app.
import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { heard, type Server, until } from './harness';

/** The newest link of a kind that was mailed to an address; waits for another one than `before`. */
export async function mailedLink(server: Server, to: string, kind: string, before?: string): Promise<string> {
  const outbox = join(server.data, 'outbox');
  return until(`a ${kind} link for ${to}`, () => {
    if (!existsSync(outbox)) return undefined;
    const letters = readdirSync(outbox).filter(name => name.endsWith('.eml'));
    const links = letters.sort().flatMap(name => {
      const text = readFileSync(join(outbox, name), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=');
      const link = new RegExp(`https?://\\S+/welcome/${kind}/[^\\s"<>]+`).exec(text)?.[0];
      return link && text.includes(to) ? [link] : [];
    });
    const newest = links.at(-1);
    return newest !== before && newest;
  });
}

/** A code of RFC 6238 (SHA-1, 30 s, 6 digits); `step` 1 is the next one. */
export function totp(secret: string, step = 0): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret.replaceAll('=', '')].map(l => letters.indexOf(l).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Fills in the sign-in form. */
export async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Chooses a new password on the page of a mailed link. */
export async function choose(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
}

/** What the authenticator of a tab holds. */
export interface Authenticator {
  passkeys: () => Promise<{ credentialId: string }[]>;
}

/** Puts an authenticator into a tab that confirms whatever it is asked; it begins with what another one holds. */
export async function authenticator(page: Page, other?: Authenticator): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const passkeys = async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  type Passkey = Awaited<ReturnType<typeof passkeys>>[number];
  for (const credential of (await other?.passkeys()) ?? [])
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: credential as Passkey });
  return { passkeys };
}

/** The link that signs another screen in, copied from the profile. */
export async function linkForScreen(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Sign in on another screen' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await heard(page, 'Copied');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Close' }).click();
  return link;
}
