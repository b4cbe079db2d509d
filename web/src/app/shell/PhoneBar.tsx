import limits from '@catalog/limits.json';
import { useNavigate } from '@tanstack/react-router';
import { Check, LifeBuoy, LogOut, Menu as MenuIcon, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useDebounced } from '~/lib/debounce';
import {
  maySwitch,
  type Preferences,
  session,
  setPreference,
  useOrganization,
  usePreference,
  useProfile,
} from '~/session';
import { Button } from '~/ui/Button';
import { IconButton } from '~/ui/IconButton';
import { Popover } from '~/ui/Popover';
import { SearchField } from '~/ui/SearchField';
import { Segmented } from '~/ui/Segmented';
import { Switch } from '~/ui/Switch';
import { ownAccountPath } from '../accounts/own';
import { signOutByHand } from '../leave';
import { switchAwareness } from './awareness';
import { EnvironmentTag } from './EnvironmentTag';
import styles from './Phone.module.css';
import { Who } from './ProfileMenu';
import { useSupport } from './support';

const SEARCH_ABOVE = limits.lists.organizationSearchAbove.value;

/** A phone's top bar: the organization's name, and the user behind a button. */
export function PhoneBar() {
  const organization = useOrganization();
  return (
    <header className={styles.phoneTop}>
      <span className="light-bar" aria-hidden="true" />
      <span className={styles.phoneName}>{organization.name}</span>
      <EnvironmentTag />
      <Popover
        label="Account"
        placement="bottom end"
        trigger={
          <IconButton label="Account" variant="ghost">
            <MenuIcon size={20} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        }
      >
        {close => <Account onDone={close} />}
      </Popover>
    </header>
  );
}

function Account({ onDone }: { onDone: () => void }) {
  const profile = useProfile();
  const theme = usePreference('theme');
  const sound = usePreference('sound');
  const support = useSupport();
  const navigate = useNavigate();
  const { mayAwareness, awareness } = profile;
  return (
    <div className={styles.account}>
      <Who />
      {maySwitch(profile) && <Organizations onDone={onDone} />}
      <div className={styles.options}>
        <Segmented<Preferences['theme']>
          label="Theme"
          value={theme}
          onChange={value => setPreference('theme', value)}
          options={[
            { id: 'system', label: <Monitor size={18} aria-label="System theme" /> },
            { id: 'dark', label: <Moon size={18} aria-label="Dark theme" /> },
            { id: 'light', label: <Sun size={18} aria-label="Light theme" /> },
          ]}
        />
        <Switch isSelected={sound} onChange={value => setPreference('sound', value)} atEnd>
          Sound
        </Switch>
        {mayAwareness && (
          <Switch isSelected={awareness} onChange={switchAwareness} atEnd>
            Situational awareness
          </Switch>
        )}
        <Button
          icon={<UserRound size={18} strokeWidth={1.75} aria-hidden="true" />}
          onPress={() => {
            onDone();
            void navigate({ href: ownAccountPath(profile, true) });
          }}
        >
          My Profile
        </Button>
        <Button
          icon={<LifeBuoy size={18} strokeWidth={1.75} aria-hidden="true" />}
          onPress={() => {
            onDone();
            support(true);
          }}
        >
          Support
        </Button>
        <Button icon={<LogOut size={18} strokeWidth={1.75} aria-hidden="true" />} onPress={signOutByHand}>
          Sign Out
        </Button>
      </div>
    </div>
  );
}

/** The organizations in reach; above five with a search by name. */
function Organizations({ onDone }: { onDone: () => void }) {
  const { organizations } = useProfile();
  const current = useOrganization();
  const [search, setSearch] = useState('');
  const words = useDebounced(search, limits.ui.searchDebounceMs.value);
  const shown = useMemo(() => {
    const part = words.trim().toLowerCase();
    return organizations.filter(one => one.name.toLowerCase().includes(part));
  }, [organizations, words]);
  return (
    <div>
      {organizations.length > SEARCH_ABOVE && (
        <SearchField label="Search organizations" value={search} onChange={setSearch} />
      )}
      <ul className={styles.organizations} aria-label="Organizations">
        {shown.map(one => (
          <li key={one.id}>
            <button
              type="button"
              className={styles.organization}
              aria-current={one.id === current.id}
              onClick={() => {
                session.switchOrganization(one.id);
                onDone();
              }}
            >
              {one.name}
              {one.id === current.id && <Check size={18} aria-hidden="true" />}
            </button>
          </li>
        ))}
        {shown.length === 0 && <li className={styles.organization}>No results found.</li>}
      </ul>
    </div>
  );
}
