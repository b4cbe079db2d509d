import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

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
