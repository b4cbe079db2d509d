import { MOST_ASSETS } from '~/model/trip';
import { colorOf, letterOf, type TripColor } from './palette';
import styles from './trips.module.css';

/** The letter's part of the mark. */
const LETTER = 0.46;

/** Whose a trip is, by the color and the letter that it has on the map as well. */
export function TripMark({ index, size = 26 }: { index: number; size?: number }) {
  const color = index >= 0 && index < MOST_ASSETS ? colorOf(index as TripColor) : undefined;
  return (
    <span
      className={styles.mark}
      style={{ width: size, height: size, fontSize: size * LETTER, background: color }}
      aria-hidden="true"
    >
      {letterOf(Math.max(0, index))}
    </span>
  );
}
