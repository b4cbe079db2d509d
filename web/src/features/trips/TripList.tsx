import { useState } from 'react';
import { cx } from '~/lib/cx';
import { useStore } from '~/lib/store';
import { countText } from '~/model/format';
import { type TripQuery, tripParams } from '~/model/trip';
import list from '~/section/list.module.css';
import { useGo } from '~/section/paths';
import screen from '~/section/screen.module.css';
import { useNoneSelected } from '~/section/view';
import { useWords } from '~/section/words';
import { Button, Skeleton, SkeletonBar } from '~/ui';
import { Failures, Unreadable } from './Notices';
import { useNames } from './names';
import { LIST_PATH } from './paths';
import { type TripsAnswer, useTrips } from './queries';
import { SearchForm } from './SearchForm';
import { TripMark } from './TripMark';
import { TripMenu } from './TripMenu';
import { ROW_PX, TripRows } from './TripRows';
import styles from './trips.module.css';
import { tripParamsView, useTripParams } from './view';
import { fullSpanText } from './words';

const wordsOf = (query: TripQuery) => new URLSearchParams(tripParams(query) as Record<string, string>).toString();

/** The search, and what was found. */
export function TripList() {
  const go = useGo();
  const asked = useTripParams();
  const said = useStore(tripParamsView);
  const [isEditing, setEditing] = useState(false);
  const query = asked?.isSound ? asked.query : undefined;
  const trips = useTrips(query);
  useNoneSelected();
  const search = (next: TripQuery) => {
    setEditing(false);
    // The same again: what is not fresh any more is read anew. An address that asked nothing is no place to go back to.
    if (asked && wordsOf(asked.query) === wordsOf(next)) {
      // What was refused for its time may have passed meanwhile.
      if (!query) tripParamsView.set(now => ({ ...now }));
      else void trips.refetch();
    } else go(`${LIST_PATH}?${wordsOf(next)}`, { replace: !query });
  };
  const isForm = !query || isEditing;
  const answer = trips.data;
  return (
    <article className={screen.screen} aria-labelledby="trips-title">
      <header className={list.head} data-sheet-head>
        <h1 id="trips-title" className={list.title}>
          Trips {query && answer && <small className="num">{countText(tripsIn(answer))}</small>}
        </h1>
        {!isForm && (
          <div className={cx(list.filterButton, styles.tools)}>
            {answer && answer.trips.length > 0 && <TripMenu query={query} />}
            <Button size="small" onPress={() => setEditing(true)}>
              Change
            </Button>
          </div>
        )}
        {!isForm && answer && <Counts answer={answer} />}
        {!isForm && <Asked query={query} />}
      </header>
      {isForm ? (
        <SearchForm
          key={`${said.things} ${said.from} ${said.to}`}
          asked={asked}
          onSearch={search}
          onCancel={query && (() => setEditing(false))}
        />
      ) : (
        <Found
          query={query}
          answer={answer}
          onRetry={() => void trips.refetch()}
          onChange={() => setEditing(true)}
          isAsking={trips.isFetching}
        />
      )}
    </article>
  );
}

const tripsIn = ({ trips }: TripsAnswer) => trips.reduce((sum, { runs, other }) => sum + runs.length + other.length, 0);

function Counts({ answer }: { answer: TripsAnswer }) {
  const runs = answer.trips.reduce((sum, one) => sum + one.runs.length, 0);
  return (
    <div className={`${list.counts} num`}>
      <span>
        Runs <b>{countText(runs)}</b>
      </span>
      <span>
        Without lights <b>{countText(tripsIn(answer) - runs)}</b>
      </span>
    </div>
  );
}

/** What was asked. */
function Asked({ query }: { query: TripQuery }) {
  const { timeZone } = useWords();
  const names = useNames(query.things);
  return (
    <div className={styles.asked}>
      <ul aria-label="Assets">
        {query.things.map((id, index) => (
          <li key={id} title={names[index]}>
            <TripMark index={index} size={20} />
            <span>{names[index]}</span>
          </li>
        ))}
      </ul>
      <p className="num">
        {fullSpanText(query.from, query.to, timeZone)} <small>({timeZone})</small>
      </p>
    </div>
  );
}

interface FoundProps {
  query: TripQuery;
  answer: TripsAnswer | undefined;
  isAsking: boolean;
  onRetry: () => void;
  onChange: () => void;
}

/** What was found, or why it was not. */
function Found({ query, answer, isAsking, onRetry, onChange }: FoundProps) {
  const names = useNames(query.things);
  if (!answer) return <Waiting />;
  return (
    <>
      <Failures query={query} names={names} failures={answer.failures} isAsking={isAsking} onRetry={onRetry} />
      <Unreadable query={query} names={names} trips={answer.trips} />
      {answer.trips.length > 0 && <TripRows query={query} names={names} answer={answer} onChange={onChange} />}
    </>
  );
}

/** The shape of rows that are on their way. */
function Waiting() {
  return (
    <Skeleton label="Loading trips">
      {[62, 48, 70, 54].map(width => (
        <div key={width} className={cx(list.row, list.bones)} style={{ height: ROW_PX }}>
          <SkeletonBar width={26} height={26} />
          <div className={list.rowText}>
            <SkeletonBar width={`${width}%`} height={13} />
            <SkeletonBar width={`${width - 14}%`} height={11} />
            <SkeletonBar width={`${width - 22}%`} height={11} />
          </div>
        </div>
      ))}
    </Skeleton>
  );
}
