import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useStore } from '~/lib/store';
import { session, useIsPhone, useOrganization, useProfile } from '~/session';
import { Button } from '~/ui/Button';
import { Notice } from '~/ui/ErrorNotice';
import { ownAccountPath } from '../accounts/own';
import styles from './Shell.module.css';

/** The organization requires a second factor, and this session ends unless one is added before. */
export function FactorNotice() {
  const profile = useProfile();
  const isPhone = useIsPhone();
  const navigate = useNavigate();
  const { timezone } = useOrganization();
  const isEnding = useStore(session.ending.at) !== undefined;
  const [dismissed, setDismissed] = useState(false);
  const due = profile.secondFactorDue;
  if (due === undefined || (dismissed && !isEnding)) return null;
  return (
    <Notice
      tone="warn"
      action={
        <div className={styles.noticeActions}>
          <Button
            size="small"
            onPress={() => void navigate({ href: ownAccountPath(profile, isPhone, 'second-factor') })}
          >
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
  );
}

/** A time of the day that comes within 24 hours: "2:20 PM". */
export function timeText(at: number, timeZone: string): string {
  return new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone });
}
