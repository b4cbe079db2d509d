import { afterEach, describe, expect, it, vi } from 'vitest';
import { askPasskey, bytesOf, createPasskey, PasskeyAborted, textOf } from './passkey';

afterEach(() => vi.unstubAllGlobals());

const buffer = (...bytes: number[]) => new Uint8Array(bytes).buffer;
const credential = (response: object) => ({
  id: '-_8',
  rawId: buffer(251, 255),
  type: 'public-key',
  authenticatorAttachment: 'platform',
  getClientExtensionResults: () => ({}),
  response,
});

/** A browser whose authenticator answers. */
function answers(response: object | DOMException | null) {
  const answer = (options: CredentialRequestOptions & CredentialCreationOptions) => {
    asked.push(options);
    if (response instanceof DOMException) return Promise.reject(response);
    return Promise.resolve(response && credential(response));
  };
  vi.stubGlobal('navigator', { credentials: { get: answer, create: answer } });
}
let asked: (CredentialRequestOptions & CredentialCreationOptions)[] = [];

afterEach(() => {
  asked = [];
});

describe('base64url', () => {
  it.each([[], [0], [251, 255], [1, 2, 3, 4, 250]])('goes there and back: %j', (...bytes) => {
    const text = textOf(new Uint8Array(bytes).buffer);
    expect(text).not.toMatch(/[+/=]/);
    expect([...bytesOf(text)]).toEqual(bytes);
  });
});

describe('askPasskey', () => {
  it('gives the browser bytes, and the server text', async () => {
    answers({
      clientDataJSON: buffer(1),
      authenticatorData: buffer(2),
      signature: buffer(3),
      userHandle: null,
    });
    const options = { challenge: 'AQI', rpId: 'localhost', allowCredentials: [{ type: 'public-key', id: '-_8' }] };
    const said = await askPasskey({ publicKey: options });
    const { publicKey } = asked[0] ?? {};
    expect([...new Uint8Array(publicKey?.challenge as ArrayBuffer)]).toEqual([1, 2]);
    expect([...new Uint8Array(publicKey?.allowCredentials?.[0]?.id as ArrayBuffer)]).toEqual([251, 255]);
    expect(said).toEqual({
      id: '-_8',
      rawId: '-_8',
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: { clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw' },
    });
  });

  it('says when nobody confirmed', async () => {
    answers(new DOMException('closed', 'NotAllowedError'));
    await expect(askPasskey({ challenge: 'AQI' })).rejects.toBeInstanceOf(PasskeyAborted);
    answers(null);
    await expect(askPasskey({ challenge: 'AQI' })).rejects.toBeInstanceOf(PasskeyAborted);
    answers(new DOMException('bad', 'SecurityError'));
    await expect(askPasskey({ challenge: 'AQI' })).rejects.toMatchObject({ name: 'SecurityError' });
  });
});

describe('createPasskey', () => {
  it('sends the attestation with the ways to reach the authenticator', async () => {
    answers({ clientDataJSON: buffer(1), attestationObject: buffer(4), getTransports: () => ['internal'] });
    const options = {
      challenge: 'AQI',
      user: { id: 'AA', name: 'dana', displayName: 'Dana' },
      excludeCredentials: [{ type: 'public-key', id: '-_8' }],
    };
    const said = await createPasskey(options);
    expect(said.response).toEqual({ clientDataJSON: 'AQ', attestationObject: 'BA', transports: ['internal'] });
    expect([...new Uint8Array(asked[0]?.publicKey?.user?.id as ArrayBuffer)]).toEqual([0]);
  });
});
