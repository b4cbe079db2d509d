import { Qr } from '~/ui/Qr';
import styles from './PublicPage.module.css';

/** What an authenticator app needs: the code to scan, and the same as text. */
export function TotpSecret({ secret, url }: { secret: string; url: string }) {
  return (
    <>
      <Qr text={url} label="QR code for your authenticator app" />
      <p className={styles.secret}>
        Can't scan it? Enter this key in the app:
        <code className="mono">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
    </>
  );
}
