import { api, type Schemas } from '~/api';
import { session } from '~/session';
import { type LinkTokens, linkQuestion } from './signInLink';

const textsOf = ({ access, refresh }: LinkTokens): Schemas['LinkTexts'] => ({
  access_token: access,
  refresh_token: refresh,
});

/** Signs in by a link, or asks first when the server wants that. A link that no longer works leaves what was there. */
export async function enterByLink(link: LinkTokens): Promise<void> {
  try {
    if (await asksFirst()) await ask(link);
    else await session.signInByLink(link.access, link.refresh);
  } catch {
    await session.restore();
  }
}

/** Without an answer it is asked: nobody is signed in unawares because a call was lost. */
async function asksFirst(): Promise<boolean> {
  const methods = await api.data('GET /sign_in_methods', { auth: false }).catch(() => undefined);
  return methods?.link_confirmation ?? true;
}

async function ask(link: LinkTokens): Promise<void> {
  const owner = await api.data('POST /sign_in_link', { auth: false, body: textsOf(link) });
  const name = `${owner.firstname} ${owner.lastname}`.trim() || owner.email;
  linkQuestion.set({ link, name, email: owner.email, organization: owner.organization });
}

/** Makes a link useless; it must not fail, and must get through while the page is being left. */
export function discard(link: LinkTokens): void {
  const body = new Blob([JSON.stringify(textsOf(link))], { type: 'application/json' });
  navigator.sendBeacon('/api/sign_in_link/discard', body);
}
