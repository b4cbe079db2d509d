import limits from '@catalog/limits.json';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { serverClock } from '~/lib/clock';
import { useStore } from '~/lib/store';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { session, useIsPhone, useOrganization, useProfile } from '~/session';
import { Button } from '~/ui/Button';
import { Notice } from '~/ui/ErrorNotice';
import { ownAccountPath } from '../accounts/own';
import { Away } from './away/Away';
import { FactorNotice, timeText } from './FactorNotice';
import styles from './Shell.module.css';

/** What changed meanwhile, and remarks about the account, in the corner: they cover nothing that moves and wait until somebody has time. */
export default function Notices() {
  return (
    <div className={styles.notices}>
      <Away />
      <div className={styles.noticeList} role="status">
        <FactorNotice />
        <EndNotice />
        <PasswordNotice />
      </div>
    </div>
  );
}

/** The session ends whatever is done, unless its user confirms who they are. */
function EndNotice() {
  const at = useStore(session.ending.at);
  const { awareness } = useProfile();
  const { timezone } = useOrganization();
  // Awareness mode ends only for want of a second factor: confirming who is there moves nothing.
  if (at === undefined || awareness) return null;
  return (
    <Notice
      tone="warn"
      action={
        <Button size="small" onPress={() => void session.extend()}>
          Stay signed in
        </Button>
      }
    >
      Your session ends at {timeText(at, timezone)}.
    </Notice>
  );
}

/** From 14 days before a password expires. */
function PasswordNotice() {
  const profile = useProfile();
  const isPhone = useIsPhone();
  const navigate = useNavigate();
  const { passwordExpiresAt } = profile;
  const { timezone } = useOrganization();
  const [dismissed, setDismissed] = useState(false);
  const isNear =
    passwordExpiresAt !== undefined && passwordExpiresAt - serverClock.now() <= limits.session.passwordNoticeMs.value;
  if (!isNear || dismissed) return null;
  const day = dateText(passwordExpiresAt, timezone, DATE_PATTERNS.monthFirst);
  return (
    <Notice
      tone="warn"
      action={
        <div className={styles.noticeActions}>
          <Button size="small" onPress={() => void navigate({ href: ownAccountPath(profile, isPhone, 'password') })}>
            Change
          </Button>
          <Button size="small" variant="ghost" onPress={() => setDismissed(true)}>
            Dismiss
          </Button>
        </div>
      }
    >
      Your password expires on {day}. Choose a new one before then.
    </Notice>
  );
}
