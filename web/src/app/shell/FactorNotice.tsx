import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { chunk } from '~/lib/chunk';
import { useStore } from '~/lib/store';
import { managerPath } from '~/model/manager';
import { session, useIsPhone, useOrganization, useProfile } from '~/session';
import { Button } from '~/ui/Button';
import { Notice } from '~/ui/ErrorNotice';
import { isOpen } from '../guards';
import styles from './Shell.module.css';

const TotpDialog = lazy(chunk(async () => ({ default: (await import('~/features/profile/TotpDialog')).TotpDialog })));
const CodesDialog = lazy(
  chunk(async () => ({ default: (await import('~/features/profile/CodesDialog')).CodesDialog })),
);

/** The organization requires a second factor, and this session ends unless one is added before. */
export function FactorNotice() {
  const profile = useProfile();
  const isPhone = useIsPhone();
  const navigate = useNavigate();
  const { timezone } = useOrganization();
  const isEnding = useStore(session.ending.at) !== undefined;
  const [dismissed, setDismissed] = useState(false);
  const [open, setOpen] = useState<'totp' | readonly string[]>();
  const due = profile.secondFactorDue;
  // Who has no page of their own account sets one up here.
  const hasPage = isOpen(profile, 'accounts', isPhone);
  const add = () =>
    hasPage
      ? void navigate({ href: managerPath('account', { view: 'formRead', target: 'second-factor' }) })
      : setOpen('totp');
  const isShown = due !== undefined && (!dismissed || isEnding);
  return (
    <>
      {isShown && (
        <Notice
          tone="warn"
          action={
            <div className={styles.noticeActions}>
              <Button size="small" onPress={add}>
                Set up 2FA
              </Button>
              {!isEnding && (
                <Button size="small" variant="ghost" onPress={() => setDismissed(true)}>
                  Dismiss
                </Button>
              )}
            </div>
          }
        >
          Your organization requires two-factor authentication. Set it up before {timeText(due, timezone)}.
        </Notice>
      )}
      <Suspense>
        {open === 'totp' && <TotpDialog onClose={() => setOpen(undefined)} onDone={setOpen} />}
        {typeof open === 'object' && <CodesDialog codes={open} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}

/** A time of the day that comes within 24 hours: "2:20 PM". */
export function timeText(at: number, timeZone: string): string {
  return new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone });
}
