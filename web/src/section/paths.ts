import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The addresses of a section over the map: its list, a detail, and the screens that edit a part of it. */
export function pathsOf(section: string) {
  const list = `/dashboard/${section}`;
  const detail = (id: string) => `${list}/${encodeURIComponent(id)}`;
  return { list, detail, edit: (id: string, part?: string) => `${detail(id)}/edit${part ? `/${part}` : ''}` };
}

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
