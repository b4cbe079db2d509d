import { KeyRound } from 'lucide-react';
import { providerToLeave, type SignInMethods } from '~/session/methods';
import { buttonClass } from '~/ui/Button';
import styles from './PublicPage.module.css';

/** A button for each provider; the wanted address comes back with the user. */
export function Providers({
  methods,
  origin,
}: {
  methods: Pick<SignInMethods, 'password' | 'providers'>;
  origin: string | undefined;
}) {
  if (methods.providers.length === 0) return null;
  const left = methods.providers.find(one => one.id === providerToLeave.get());
  const query = origin ? `?origin=${encodeURIComponent(origin)}` : '';
  return (
    <>
      {methods.password && <div className={styles.or}>or</div>}
      <div className={styles.stack}>
        {methods.providers.map(one => (
          <a
            key={one.id}
            className={buttonClass({ size: 'large', className: styles.wide })}
            href={`${one.start}${query}`}
          >
            <KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />
            Sign in with {one.title}
          </a>
        ))}
      </div>
      {left && (
        <p className={styles.leave}>
          You may still be signed in with {left.title}.{' '}
          <a href={`/api/sso/${left.id}/end`} onClick={() => providerToLeave.set(undefined)}>
            Sign out of {left.title} too
          </a>
        </p>
      )}
    </>
  );
}
