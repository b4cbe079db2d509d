import { Button } from 'react-aria-components/Button';
import { useProfile } from '~/session';
import { Menu } from '~/ui/Menu';
import { AccountEntries } from './accountEntries';
import styles from './Shell.module.css';

/** Who is signed in, and what is theirs to choose. */
export function ProfileMenu() {
  const profile = useProfile();
  return (
    <Menu
      label="Profile"
      trigger={
        <Button className={styles.avatar ?? ''} aria-label={`${profile.initials}, profile of ${profile.fullName}`}>
          {profile.initials}
        </Button>
      }
      head={<Who />}
    >
      <AccountEntries />
    </Menu>
  );
}

/** Name and address of the signed-in user. */
export function Who() {
  const profile = useProfile();
  return (
    <div className={styles.who}>
      <b>{profile.fullName}</b>
      <span>{profile.email}</span>
    </div>
  );
}
