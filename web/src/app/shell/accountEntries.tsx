import { useNavigate } from '@tanstack/react-router';
import {
  FlaskConical,
  Keyboard,
  LogOut,
  Monitor,
  MonitorPlay,
  Moon,
  Sun,
  UserRound,
  UsersRound,
  Volume2,
} from 'lucide-react';
import { ACCOUNTS_PATH } from '~/model/manager';
import { type Preferences, setPreference, useIsPhone, usePreference, useProfile } from '~/session';
import { MenuItem, MenuSection, MenuSeparator } from '~/ui/Menu';
import { NEW_ACCOUNTS_PATH } from '../accounts/newTabs';
import { ownAccountPath } from '../accounts/own';
import { isOpen } from '../guards';
import { signOutByHand } from '../leave';
import { switchAwareness } from './awareness';
import { shortcutsHelp } from './shortcutsHelp';

const themes = [
  { id: 'system', label: 'System', Icon: Monitor },
  { id: 'dark', label: 'Dark', Icon: Moon },
  { id: 'light', label: 'Light', Icon: Sun },
] as const;

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** What the profile menu holds below the name. */
export function AccountEntries() {
  const theme = usePreference('theme');
  const sound = usePreference('sound');
  const isPhone = useIsPhone();
  const { mayAwareness, awareness } = useProfile();
  return (
    <>
      <Places />
      <MenuSection
        title="Theme"
        selectionMode="single"
        selectedKeys={[theme]}
        onChoose={([chosen]) => chosen && setPreference('theme', chosen as Preferences['theme'])}
      >
        {themes.map(({ id, label, Icon }) => (
          <MenuItem key={id} id={id} icon={<Icon {...icon} />}>
            {label}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection
        title="Alerts"
        selectionMode="multiple"
        selectedKeys={sound ? ['sound'] : []}
        onChoose={keys => setPreference('sound', keys.has('sound'))}
      >
        <MenuItem id="sound" icon={<Volume2 {...icon} />}>
          Sound
        </MenuItem>
      </MenuSection>
      {mayAwareness && (
        <MenuSection
          title="Session"
          selectionMode="multiple"
          selectedKeys={awareness ? ['awareness'] : []}
          onChoose={keys => switchAwareness(keys.has('awareness'))}
        >
          <MenuItem id="awareness" icon={<MonitorPlay {...icon} />}>
            Situational awareness
          </MenuItem>
        </MenuSection>
      )}
      <MenuSeparator />
      {!isPhone && (
        <MenuItem
          id="shortcuts"
          icon={<Keyboard {...icon} />}
          after={<kbd>?</kbd>}
          onAction={() => shortcutsHelp.set(true)}
        >
          Keyboard shortcuts
        </MenuItem>
      )}
      <MenuItem id="signout" icon={<LogOut {...icon} />} onAction={signOutByHand}>
        Sign Out
      </MenuItem>
    </>
  );
}

/**
 * The sections that stand in no navigation; only those that this user may see (requirements 2.nav). Who has no
 * access to Accounts still has a password, a second factor and sessions to look after.
 */
function Places() {
  const profile = useProfile();
  const isPhone = useIsPhone();
  const navigate = useNavigate();
  const go = (href: string) => () => void navigate({ href });
  const accounts = isOpen(profile, 'accounts', isPhone);
  const newAccounts = isOpen(profile, 'accounts-new', isPhone);
  return (
    <>
      <MenuItem id="profile" icon={<UserRound {...icon} />} onAction={go(ownAccountPath(profile, isPhone))}>
        {accounts ? 'Profile & Preferences' : 'My Profile'}
      </MenuItem>
      {newAccounts && (
        <MenuItem id="accounts-new" icon={<FlaskConical {...icon} />} onAction={go(NEW_ACCOUNTS_PATH)}>
          New Accounts (test)
        </MenuItem>
      )}
      {accounts && (
        <MenuItem id="accounts" icon={<UsersRound {...icon} />} onAction={go(ACCOUNTS_PATH)}>
          Manage Accounts & Users
        </MenuItem>
      )}
      <MenuSeparator />
    </>
  );
}
