import { say } from '~/api';
import type { TripQuery } from '~/model/trip';
import { useWords } from '~/section/words';
import { Button, Notice } from '~/ui';
import type { TripsAnswer } from './queries';
import styles from './trips.module.css';
import type { ThingTrips } from './wire';
import { hoursText } from './words';

interface FailuresProps {
  query: TripQuery;
  names: readonly string[];
  failures: TripsAnswer['failures'];
  isAsking: boolean;
  onRetry: () => void;
}

/** Why nothing is known of some assets. What is known of the others stands below. */
export function Failures({ query, names, failures, isAsking, onRetry }: FailuresProps) {
  const [first] = failures;
  if (!first) return null;
  const isOne = query.things.length === 1;
  return (
    <div role="alert" className={styles.notice}>
      <Notice
        tone="danger"
        action={
          <Button size="small" onPress={onRetry} isPending={isAsking}>
            Retry
          </Button>
        }
      >
        {say(isOne ? 'trips.load' : 'trips.combined', first.error)}
        {!isOne && (
          <ul>
            {failures.map(({ id, error }) => (
              <li key={id}>
                <b>{names[query.things.indexOf(id)]}</b>: {say('trips.load', error)}
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}

/** The hours whose points can't be read: what stands below may not be all. */
export function Unreadable({
  query,
  names,
  trips,
}: Pick<FailuresProps, 'query' | 'names'> & { trips: readonly ThingTrips[] }) {
  const { timeZone } = useWords();
  const some = trips.filter(one => one.unreadable.length > 0);
  if (some.length === 0) return null;
  return (
    <div role="status" className={styles.notice}>
      <Notice tone="warn">
        Some stored positions can't be read. More may have happened in these hours:
        <ul>
          {some.map(({ thing_id, unreadable }) => (
            <li key={thing_id}>
              <b>{names[query.things.indexOf(thing_id)]}</b>: {hoursText(unreadable, timeZone)}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
