import limits from '@catalog/limits.json';

/** Tokens that public/first.js took out of the address of a sign-in link. */
export interface LinkTokens {
  access: string;
  refresh: string;
}

declare global {
  interface Window {
    lightbarLink?: LinkTokens;
  }
}

/** Whether tokens in an address sign in: access longer than 400 characters and a refresh token (specification section 2). */
function signsIn(tokens: LinkTokens | undefined): tokens is LinkTokens {
  return !!tokens && tokens.access.length > limits.session.linkTokenLongerThan.value && tokens.refresh !== '';
}

/** The tokens of a sign-in link, once; undefined when the address held none that sign in. */
export function takeLinkTokens(page: Window): LinkTokens | undefined {
  const tokens = page.lightbarLink;
  delete page.lightbarLink;
  return signsIn(tokens) ? tokens : undefined;
}
