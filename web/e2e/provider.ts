// An identity provider for journeys: OpenID Connect's code flow with PKCE, and one person at a time. A mock, and no more.
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Person {
  sub: string;
  email: string;
  given_name: string;
  family_name: string;
  groups: string[];
  /** Has signed in there just now; otherwise an hour ago, which proves nothing to us. */
  justNow?: boolean;
}

interface Visit {
  nonce: string;
  challenge: string;
  redirect: string;
  /** When the person signed in here, in seconds. */
  at: number;
}

const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts a provider on this machine; `who` is the person it knows next. */
export async function startProvider(client: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const visits = new Map<string, Visit>();
  let person: Person | undefined;
  let issuer = '';

  const idToken = ({ nonce, at }: Visit) => {
    const now = Math.floor(Date.now() / 1000);
    const when = { iat: now, exp: now + 300, auth_time: at };
    const { justNow: _, ...who } = person ?? {};
    const claims = { iss: issuer, aud: client, ...when, nonce, email_verified: true, ...who };
    const signed = `${text({ alg: 'RS256', kid: 'k' })}.${text(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  };
  // Who is asked to prove themselves presses a button; others have a session here.
  const authorize = (query: URLSearchParams, answer: ServerResponse) => {
    if (query.get('prompt') === 'login') {
      query.delete('prompt');
      const page = `<!doctype html><title>City</title><a href="/authorize?${query}">I am ${person?.given_name}</a>`;
      answer.writeHead(200, { 'Content-Type': 'text/html' }).end(page.replaceAll('&', '&amp;'));
      return;
    }
    const code = randomUUID();
    const redirect = query.get('redirect_uri') ?? '';
    const at = Math.floor(Date.now() / 1000) - (query.has('max_age') || person?.justNow ? 0 : 3600);
    visits.set(code, { nonce: query.get('nonce') ?? '', challenge: query.get('code_challenge') ?? '', redirect, at });
    const back = new URLSearchParams({ code, state: query.get('state') ?? '' });
    answer.writeHead(302, { Location: `${redirect}?${back}` }).end();
  };
  // Signs nobody out without asking, as a request without a token has it (RP-Initiated Logout 1.0, section 2).
  const end = (query: URLSearchParams, answer: ServerResponse) => {
    const back = query.get('client_id') === client ? query.get('post_logout_redirect_uri') : null;
    answer
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<!doctype html><title>City</title><a href="${back}">Yes, sign me out</a>`);
  };
  const token = async (request: IncomingMessage, answer: ServerResponse) => {
    let body = '';
    for await (const part of request) body += part;
    const form = new URLSearchParams(body);
    const code = form.get('code') ?? '';
    const visit = visits.get(code);
    visits.delete(code);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!visit || visit.challenge !== proof || visit.redirect !== form.get('redirect_uri'))
      return say(answer, { error: 'invalid_grant' }, 400);
    say(answer, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: idToken(visit) });
  };
  const server = createServer((request, answer) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/authorize') authorize(url.searchParams, answer);
    else if (url.pathname === '/token') void token(request, answer);
    else if (url.pathname === '/end') end(url.searchParams, answer);
    else if (url.pathname === '/keys')
      say(answer, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] });
    else
      say(answer, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/end`,
        id_token_signing_alg_values_supported: ['RS256'],
      });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    who: (next: Person) => {
      person = next;
    },
    stop: () => new Promise(resolve => server.close(resolve)),
  };
}

function say(answer: ServerResponse, value: object, status = 200): void {
  answer.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
