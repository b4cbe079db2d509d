import { texts } from '~/api';

/** A window over the page about the session; `button` is absent when it closes by itself. */
export interface SessionAlert {
  kind: 'idle' | 'idleExpired' | 'expired' | 'invalid' | 'error';
  title: string;
  text: string;
  button?: string;
}

/** The words of requirements 8.session. */
export function alertOf(kind: SessionAlert['kind']): SessionAlert {
  const words = texts.session;
  switch (kind) {
    case 'idle':
      return { kind, title: words.idleTitle, text: words.idleText, button: words.idleButton };
    case 'idleExpired':
      return { kind, title: words.idleExpiredTitle, text: words.idleText, button: 'OK' };
    case 'expired':
      return { kind, title: words.expiredTitle, text: words.expiredText };
    case 'invalid':
      return { kind, title: words.invalidTitle, text: words.invalidText, button: 'OK' };
    case 'error':
      return { kind, title: words.errorTitle, text: words.errorText, button: 'OK' };
  }
}
