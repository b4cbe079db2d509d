import limits from '@catalog/limits.json';
import { createStore } from '~/lib/store';

/** Tokens that public/first.js took out of the address of a sign-in link. */
export interface LinkTokens {
  access: string;
  refresh: string;
}

/** Whom a sign-in link would sign in, asked before it does (auth.link_confirmation). */
export interface LinkQuestion {
  link: LinkTokens;
  name: string;
  email: string;
  organization: string;
}

/** The question that stands instead of the page; what it holds is nowhere else. */
export const linkQuestion = createStore<LinkQuestion | undefined>(undefined);

declare global {
  interface Window {
    lightbarLink?: LinkTokens;
  }
}

/** Whether tokens in an address sign in: access longer than 400 characters and a refresh token (requirements 2.pub). */
function signsIn(tokens: LinkTokens | undefined): tokens is LinkTokens {
  return !!tokens && tokens.access.length > limits.session.linkTokenLongerThan.value && tokens.refresh !== '';
}

/** The tokens of a sign-in link, once; undefined when the address held none that sign in. */
export function takeLinkTokens(page: Window): LinkTokens | undefined {
  const tokens = page.lightbarLink;
  delete page.lightbarLink;
  return signsIn(tokens) ? tokens : undefined;
}
