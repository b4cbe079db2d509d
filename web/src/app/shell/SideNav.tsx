import limits from '@catalog/limits.json';
import { Link } from '@tanstack/react-router';
import { Gift } from 'lucide-react';
import { useCounts, useIsLoaded, useRows } from '~/live';
import { atLeast, countText } from '~/model/format';
import { wordsOf } from '~/model/organization';
import { useBrand, useOrganization, useProfile } from '~/session';
import { shownSections } from '../guards';
import { useSections } from '../sections';
import { NavFrame } from './NavFrame';
import styles from './SideNav.module.css';
import { SupportButton } from './SupportButton';

/** The left navigation: permitted sections, then what leads outside. */
export function SideNav() {
  const profile = useProfile();
  const words = wordsOf(useOrganization());
  const brand = useBrand();
  return (
    <NavFrame label="Main">
      {shownSections(profile, false, useSections()).map(({ id, look }) => {
        if (!look) return null;
        const label = look.label(words);
        return (
          <Link key={id} to={`/dashboard/${id}` as '/dashboard'} className={styles.link} title={label}>
            <look.icon size={16} strokeWidth={1.75} aria-hidden="true" />
            <span className={styles.word}>{label}</span>
            {look.countsAssets && <LiveCount />}
            {look.countsActive && <ActiveCount type={look.countsActive} />}
          </Link>
        );
      })}
      <div className={styles.gap} />
      <SupportButton className={`${styles.link} ${styles.small}`} />
      {brand.referUrl && (
        <a
          className={`${styles.link} ${styles.small}`}
          href={brand.referUrl}
          target="_blank"
          rel="noreferrer"
          title="Refer a Fleet"
        >
          <Gift size={16} strokeWidth={1.75} aria-hidden="true" />
          <span className={styles.word}>Refer a Fleet</span>
        </a>
      )}
    </NavFrame>
  );
}

/** All of them: what a search or filters hide is still there. */
function LiveCount() {
  const { total } = useCounts();
  const isLoaded = useIsLoaded();
  return isLoaded && total > 0 && <span className={styles.count}>{countText(total)}</span>;
}

const KEPT = limits.lists.liveLocations.value;

function ActiveCount({ type }: { type: 'location' }) {
  const active = useRows(type).filter(row => row.is_active).length;
  return active > 0 && <span className={styles.count}>{atLeast(active, active >= KEPT)}</span>;
}
