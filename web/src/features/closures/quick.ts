import limits from '@catalog/limits.json';
import { addMonths } from 'date-fns';
import { useState } from 'react';
import { say } from '~/api';
import { serverClock } from '~/lib/clock';
import { useAtNow } from '~/live';
import { type Closure, isClosureActive } from '~/model/closure';
import type { Instant } from '~/model/instant';
import { useActsHere, useFullReach } from '~/section/reach';
import { toastUndo } from '~/section/undo';
import { useCan, useIsPhone } from '~/session';
import { toast } from '~/ui';
import { switchClosure } from './queries';

const DAY_MS = 86_400_000;

/** The latest end of a closure that begins now. */
export const latestEnd = (now: Instant): Instant => addMonths(now, limits.closure.activeMonths.value).getTime();

/** Whether someone may change it: a feed's by nobody; on a small screen the mobile permission holds. */
export function useMayEdit({ organization_id, closure_type: type, is_dashboard_managed: isManaged }: Closure): boolean {
  const isPhone = useIsPhone();
  const onDesk = useCan('EDIT_CLOSURE');
  const onPhone = useCan('EDIT_CLOSURE_MOBILE');
  const acts = useFullReach(organization_id);
  return acts && isManaged && type !== 'feed' && (isPhone ? onPhone : onDesk);
}

/** Whether someone may make one here, on a screen of this size. */
export function useMayAdd(): boolean {
  const isPhone = useIsPhone();
  const onDesk = useCan('ADD_CLOSURE');
  const onPhone = useCan('ADD_CLOSURE_MOBILE');
  const acts = useActsHere();
  return acts && (isPhone ? onPhone : onDesk);
}

/** Whether it is people who begin and end it, and this one may: boards do it with automated ones. */
export const useMaySwitch = (closure: Closure): boolean => useMayEdit(closure) && closure.closure_type === 'manual';

export interface QuickSwitch {
  /** as it is, or is to be while the server is asked */
  isOn: boolean;
  isPending: boolean;
  /** About a day from now, or off. */
  turn(on: boolean): void;
}

/**
 * The switch of a manual closure. It moves at once and goes back when it fails; whatever else says that the closure
 * stands waits for the server.
 */
export function useQuickSwitch(closure: Closure): QuickSwitch {
  const isActive = useAtNow(now => isClosureActive(closure, now));
  const [asked, setAsked] = useState<boolean>();
  const turn = async (on: boolean) => {
    setAsked(on);
    try {
      const saved = await switchClosure(closure.id, on ? serverClock.now() + DAY_MS : 0);
      if (!on && saved.version !== closure.version) toastUndo('Closure deactivated', 'closure', saved);
    } catch (error) {
      toast(say(on ? 'closure.activate' : 'closure.deactivate', error), { tone: 'danger' });
    }
    setAsked(undefined);
  };
  return { isOn: asked ?? isActive, isPending: asked !== undefined, turn: on => void turn(on) };
}
