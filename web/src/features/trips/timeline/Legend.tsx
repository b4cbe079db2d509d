import { STATE_WORDS, type TripState } from '../heads';
import styles from './timeline.module.css';

const STATES: readonly TripState[] = ['moving', 'standing', 'on_scene', 'silent'];

/** What the forms of the lanes mean. */
export function Legend() {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {STATES.map(state => (
        <li key={state}>
          <i className={styles.span} data-state={state} />
          {STATE_WORDS[state]}
        </li>
      ))}
      <li>
        <i className={styles.lit} />
        Lights on
      </li>
      <li>
        <i className={styles.run} />
        Run
      </li>
    </ul>
  );
}
