import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useOrganization } from '~/session';

export const LIST_PATH = '/dashboard/things';
export const detailPath = (id: string) => `${LIST_PATH}/${encodeURIComponent(id)}`;
export const editProfilePath = (id: string) => `${detailPath(id)}/edit/profile`;
export const editAccessPath = (id: string) => `${detailPath(id)}/edit/associations`;

/** Goes to an address of this app; `replace` leaves no entry in the history. */
export function useGo(): (path: string, options?: { replace?: boolean }) => void {
  const router = useRouter();
  return useCallback(
    (path, options) => {
      void router.navigate({ href: path, replace: options?.replace ?? false });
    },
    [router],
  );
}

/** An asset's screen belongs to the organization it was opened in: another one begins with its list. */
export function useOwnOrganization(): void {
  const { id } = useOrganization();
  const begun = useRef(id);
  const go = useGo();
  useEffect(() => {
    if (id !== begun.current) go(LIST_PATH, { replace: true });
  }, [id, go]);
}
