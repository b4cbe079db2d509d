import type { ExportType } from '~/model/export';
import { useWords } from '~/section/words';
import { useProfile } from '~/session';
import { meets } from '~/session/permissions';
import styles from './exports.module.css';
import { Head } from './Head';
import { exportTypes } from './words';

/** The first step: what the files have rows of. One that the user may not see elsewhere says so. */
export function TypeStep({ onChoose }: { onChoose: (type: ExportType) => void }) {
  const words = useWords();
  const { permissions } = useProfile();
  return (
    <>
      <Head step={0} title="New export" sentence="What should the files be about?" />
      <div className={styles.types}>
        {exportTypes.map(({ id, Icon, title, holds, needs }) => {
          const may = meets(permissions, needs);
          return (
            <button key={id} type="button" className={styles.type} disabled={!may} onClick={() => onChoose(id)}>
              <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
              <b>{title(words)}</b>
              <span>{holds(words)}</span>
              {!may && <span className={styles.why}>{`You don't have access to ${placeOf(id, words.events)}.`}</span>}
            </button>
          );
        })}
      </div>
    </>
  );
}

/** What somebody would have to see elsewhere. */
const placeOf = (type: ExportType, events: string): string =>
  ({ point: 'trips', incident: events.toLowerCase(), asset: 'assets', closure: 'closures' })[type];
