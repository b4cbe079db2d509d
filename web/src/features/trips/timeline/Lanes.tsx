import { type CSSProperties, memo } from 'react';
import { useStore } from '~/lib/store';
import { instantOf } from '~/model/instant';
import { useWords } from '~/section/words';
import { clock } from '../clock';
import { headAt, headText, STATE_WORDS, type States } from '../heads';
import { colorOf } from '../palette';
import type { PreparedThing } from '../prepared';
import { shownTrips } from '../shown';
import type { TrackTrip } from '../track';
import { shareOf } from './scale';
import styles from './timeline.module.css';

/** A lane for each asset: whose it is, what it was doing at the clock's instant, and what it did all along. */
export function Lanes({ things }: { things: readonly PreparedThing[] }) {
  const chosen = useStore(shownTrips, shown => shown?.selected);
  return (
    <ul className={styles.lanes}>
      {things.map(thing => (
        <li
          key={thing.id}
          className={styles.lane}
          style={{ '--color': colorOf(thing.color) } as CSSProperties}
          data-chosen={thing.id === chosen?.thingId || undefined}
        >
          <Who thing={thing} />
          <Did
            states={thing.states}
            trips={thing.track.trips}
            chosen={thing.id === chosen?.thingId ? chosen.runId : undefined}
          />
        </li>
      ))}
    </ul>
  );
}

/** Letter and name, and the asset at the instant in words. */
function Who({ thing }: { thing: PreparedThing }) {
  const words = useWords();
  const text = useStore(clock, ({ at }) => headText(headAt(thing.track, thing.states, at), words));
  return (
    <div className={styles.who}>
      <i className={styles.letter}>{thing.letter}</i>
      <div>
        <b title={thing.name}>{thing.name}</b>
        <span title={text}>{text}</span>
      </div>
    </div>
  );
}

interface DidProps {
  states: States;
  trips: readonly TrackTrip[];
  /** the id of the trip that is looked at, if it is one of these */
  chosen: string | undefined;
}

/** What an asset did: its states, its lights above them, its runs around them. It changes with the trips alone. */
const Did = memo(function Did({ states, trips, chosen }: DidProps) {
  const from = useStore(clock, state => state.from);
  const to = useStore(clock, state => state.to);
  const between = (start: number, end: number): CSSProperties => {
    const left = shareOf(start, from, to);
    return { left: `${left * 100}%`, width: `${(shareOf(end, from, to) - left) * 100}%` };
  };
  return (
    <div className={styles.did} aria-hidden="true">
      {states.spans.map(({ start, end, state }) => (
        <i
          key={start}
          className={styles.span}
          data-state={state}
          title={STATE_WORDS[state]}
          style={between(start, end)}
        />
      ))}
      {states.lights.map(({ start, end }) => (
        <i key={start} className={styles.lit} style={between(start, end)} />
      ))}
      {trips
        .filter(({ isRun, trip }) => isRun || trip.run_id === chosen)
        .map(({ trip }) => (
          <i
            key={trip.run_id}
            className={styles.run}
            data-chosen={trip.run_id === chosen || undefined}
            style={between(instantOf(trip.run_start), instantOf(trip.run_end))}
          />
        ))}
    </div>
  );
});
