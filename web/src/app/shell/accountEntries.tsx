import { Keyboard, LogOut, Monitor, Moon, Sun, Volume2 } from 'lucide-react';
import { type Preferences, setPreference, useIsPhone, usePreference } from '~/session';
import { MenuItem, MenuSection, MenuSeparator } from '~/ui/Menu';
import { signOutByHand } from '../leave';
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
  return (
    <>
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
