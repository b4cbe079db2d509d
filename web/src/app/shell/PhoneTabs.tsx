import { Link } from '@tanstack/react-router';
import { wordsOf } from '~/model/organization';
import { useOrganization, useProfile } from '~/session';
import { shownSections } from '../guards';
import { useSections } from '../sections';
import styles from './Phone.module.css';

/** A phone's bottom tabs: the permitted sections that work on a small screen. */
export function PhoneTabs() {
  const profile = useProfile();
  const words = wordsOf(useOrganization());
  return (
    <nav className={styles.tabs} aria-label="Main">
      {shownSections(profile, true, useSections()).map(({ id, look }) => {
        if (!look) return null;
        return (
          <Link key={id} to={`/dashboard/${id}` as '/dashboard'} className={styles.tab}>
            <look.icon size={21} strokeWidth={1.75} aria-hidden="true" />
            {look.label(words)}
          </Link>
        );
      })}
    </nav>
  );
}
