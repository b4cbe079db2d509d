import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { preferences } from '~/session';
import { SUPPORT, type SupportSearch } from '../supportSearch';

/** Whether the support dialog is open: the address says so. */
export function useSupportOpen(): boolean {
  return (useSearch({ strict: false }) as SupportSearch)['utm-content'] === SUPPORT;
}

/** Opens and closes the support dialog, leaving the rest of the address as it is. */
export function useSupport(): (open: boolean) => void {
  const navigate = useNavigate();
  return open =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, 'utm-content': open ? SUPPORT : undefined }),
      replace: true,
    } as Parameters<typeof navigate>[0]);
}

/** At first use the support dialog opens by itself, and at every start where its user wants that. */
export function useFirstSupport(): void {
  const open = useSupport();
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    const { alwaysShowSupport, hideSupportDialog } = preferences.get();
    if (alwaysShowSupport || !hideSupportDialog) open(true);
  });
}
