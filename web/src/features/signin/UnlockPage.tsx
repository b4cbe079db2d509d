import { useParams } from '@tanstack/react-router';
import { mailedToken } from './mailedLink';
import { SignInPage } from './SignInPage';

/** /welcome/unlock/{email}#{token}: the sign-in screen, which unlocks the account. */
export function UnlockPage() {
  const { email = '' } = useParams({ strict: false }) as { email?: string };
  return <SignInPage unlock={{ email, token: mailedToken('unlock') }} />;
}
