import { useState } from 'react';
import { serverClock } from '~/lib/clock';
import { useOrganization } from '~/session';
import type { FormContext } from './form';

/** What the rules of a closure of this organization depend on. */
export function useFormContext(): FormContext {
  const { timezone, isWzdx } = useOrganization();
  const [context] = useState(() => ({ timeZone: timezone || 'UTC', isWzdx, now: serverClock.now }));
  return context;
}
