/** Thrown when somebody closed the browser's question, or it ran out of time. */
export class PasskeyAborted extends Error {
  override readonly name = 'PasskeyAborted';
}

type Json = Record<string, unknown>;

/** Whether this browser knows passkeys here (they need a secure context). */
export const hasPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function';

/** Answers a request for a passkey with one; options and answer as JSON (WebAuthn, sections 5.1.8 to 5.1.10). */
export function askPasskey(options: unknown, signal?: AbortSignal): Promise<Json> {
  const { challenge, allowCredentials, ...rest } = publicKeyOf(options);
  return credentialOf(
    navigator.credentials.get({
      publicKey: {
        ...rest,
        challenge: bytesOf(challenge),
        ...(Array.isArray(allowCredentials) ? { allowCredentials: allowCredentials.map(descriptorOf) } : {}),
      },
      ...(signal ? { signal } : {}),
    }),
  );
}

/** Makes a new passkey; options and answer as JSON. */
export function createPasskey(options: unknown): Promise<Json> {
  const { challenge, user, excludeCredentials, ...rest } = publicKeyOf(options);
  const who = user as Json;
  return credentialOf(
    navigator.credentials.create({
      publicKey: {
        ...(rest as unknown as PublicKeyCredentialCreationOptions),
        challenge: bytesOf(challenge),
        user: { ...(who as unknown as PublicKeyCredentialUserEntity), id: bytesOf(who.id) },
        ...(Array.isArray(excludeCredentials) ? { excludeCredentials: excludeCredentials.map(descriptorOf) } : {}),
      },
    }),
  );
}

/** Servers send the options bare or under "publicKey", as the call of the browser takes them. */
function publicKeyOf(options: unknown): Json {
  const all = options as Json;
  return (all.publicKey ?? all) as Json;
}

async function credentialOf(asked: Promise<Credential | null>): Promise<Json> {
  const credential = (await asked.catch(aborted)) as PublicKeyCredential | null;
  if (!credential) throw new PasskeyAborted();
  const response = credential.response as AuthenticatorAssertionResponse & AuthenticatorAttestationResponse;
  const parts = ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle', 'attestationObject'] as const;
  const body: Json = {};
  for (const part of parts) {
    const bytes = response[part];
    if (bytes) body[part] = textOf(bytes);
  }
  const transports = response.getTransports?.();
  if (transports && response.attestationObject) body.transports = transports;
  return {
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: body,
  };
}

function aborted(error: unknown): never {
  const names = ['NotAllowedError', 'AbortError'];
  throw error instanceof DOMException && names.includes(error.name) ? new PasskeyAborted() : error;
}

const descriptorOf = (one: unknown): PublicKeyCredentialDescriptor => ({
  ...(one as PublicKeyCredentialDescriptor),
  id: bytesOf((one as Json).id),
});

/** Bytes of base64url text. */
export function bytesOf(text: unknown): Uint8Array<ArrayBuffer> {
  const plain = atob(String(text).replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, letter => letter.charCodeAt(0));
}

/** Base64url text of bytes, without padding. */
export function textOf(bytes: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(bytes), byte => String.fromCharCode(byte)).join('');
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
