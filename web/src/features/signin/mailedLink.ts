/** The links that mails carry: /welcome/{kind}/{email}#{token}; with /{token} those of earlier versions. */
export type MailedKind = 'reset' | 'unlock' | 'invite' | 'closure';

declare global {
  interface Window {
    /** Put here by public/first.js, which takes the token out of the address before anything else loads. */
    lightbarMailedLink?: { kind: string; token: string };
  }
}

/** The token of the emailed link that this page was opened with; empty when there is none (a reload, a cut link). */
export function mailedToken(kind: MailedKind): string {
  const link = globalThis.window?.lightbarMailedLink;
  return link?.kind === kind ? link.token : '';
}

/** Keeps a token that the app itself was led to, so that its address can be replaced by one without. */
export function keepMailedToken(kind: MailedKind, token: string): void {
  window.lightbarMailedLink = { kind, token };
}
