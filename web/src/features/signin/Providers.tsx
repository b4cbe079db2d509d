import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { api } from '~/api';
import { buttonClass } from '~/ui/Button';
import styles from './PublicPage.module.css';

/** How this installation lets people in (GET /sign_in_methods). */
export interface SignInMethods {
  password: boolean;
  providers: readonly { id: string; title: string; start: string }[];
}

/** Asks once; without an answer the password is the way in. */
export function useSignInMethods(): SignInMethods {
  const { data } = useQuery({
    queryKey: ['sign_in_methods'],
    queryFn: ({ signal }) => api.data<SignInMethods>('/sign_in_methods', { auth: false, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data ?? { password: true, providers: [] };
}

/** A button for each provider; the wanted address comes back with the user. */
export function Providers({ methods, origin }: { methods: SignInMethods; origin: string | undefined }) {
  if (methods.providers.length === 0) return null;
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
    </>
  );
}
