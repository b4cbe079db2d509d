import { useParams } from '@tanstack/react-router';
import { formatLatLng } from '~/lib/coordinates';
import { countText, DATE_PATTERNS, dateText, NONE } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import type { TripQuery } from '~/model/trip';
import { DrawerScreen, Heading } from '~/section/DrawerScreen';
import look from '~/section/detail.module.css';
import { AssetLink } from '~/section/facts';
import { DetailSection } from '~/section/parts';
import { useGo } from '~/section/paths';
import { RowBones } from '~/section/shown';
import { useWords } from '~/section/words';
import { Button, EmptyState, KeyValues, Tag, useMapInSight } from '~/ui';
import { seek } from './clock';
import { Failures, Unreadable } from './Notices';
import { useNames } from './names';
import { LIST_PATH } from './paths';
import { type TripsAnswer, useTrips } from './queries';
import { keyOf } from './rows';
import { TripMark } from './TripMark';
import styles from './trips.module.css';
import { useTripParams } from './view';
import type { Trip, TripStop } from './wire';
import { dayText, driversText, kindText, lengthText, marksOf, spanText, speedText, timesText, wayText } from './words';

const NOBODY: readonly string[] = [];

/** The detail of one trip. */
export function TripDetail() {
  const { thingId, runId } = useParams({ strict: false }) as { thingId: string; runId: string };
  const asked = useTripParams();
  const query = asked?.isSound ? asked.query : undefined;
  const { data, isFetching, refetch } = useTrips(query);
  const names = useNames(query?.things ?? NOBODY);
  useMapInSight();
  const key = keyOf(thingId, runId);
  const screen = { query, data, names, isFetching, thingId, runId, onRetry: () => void refetch() };
  return (
    <DrawerScreen key={key} id={key} list={LIST_PATH} label="Trip" back={{ label: 'Trips', to: LIST_PATH }}>
      <Screen {...screen} />
    </DrawerScreen>
  );
}

interface ScreenProps {
  query: TripQuery | undefined;
  data: TripsAnswer | undefined;
  names: readonly string[];
  isFetching: boolean;
  thingId: string;
  runId: string;
  onRetry: () => void;
}

/** The trip, or why it is not there. */
function Screen({ query, data, names, isFetching, thingId, runId, onRetry }: ScreenProps) {
  if (!query) return <Missing title="No assets and time are chosen" text="This link doesn't say what to look at." />;
  if (!data) return <RowBones label="Loading trip" />;
  const failures = data.failures.filter(failure => failure.id === thingId);
  if (failures.length > 0) {
    const own = { ...query, things: [thingId] };
    const name = names[query.things.indexOf(thingId)] ?? '';
    return <Failures query={own} names={[name]} failures={failures} isAsking={isFetching} onRetry={onRetry} />;
  }
  const trips = data.trips.find(one => one.thing_id === thingId);
  const isRun = trips?.runs.some(one => one.run_id === runId) ?? false;
  const trip = [...(trips?.runs ?? []), ...(trips?.other ?? [])].find(one => one.run_id === runId);
  if (!trips || !trip) {
    return (
      <Missing
        title="This trip is not in the chosen time"
        text="It lies outside of it, or another asset made it. The list shows what there is."
      />
    );
  }
  const index = query.things.indexOf(thingId);
  return (
    <>
      <Unreadable query={query} names={names} trips={[trips]} />
      <Detail trip={trip} isRun={isRun} thingId={thingId} index={index} name={names[index] ?? ''} />
    </>
  );
}

function Missing({ title, text }: { title: string; text: string }) {
  const go = useGo();
  return (
    <EmptyState title={title} action={<Button onPress={() => go(LIST_PATH)}>Back to Trips</Button>}>
      {text}
    </EmptyState>
  );
}

interface DetailProps {
  trip: Trip;
  isRun: boolean;
  thingId: string;
  index: number;
  name: string;
}

function Detail({ trip, isRun, thingId, index, name }: DetailProps) {
  const words = useWords();
  const { timeZone } = words;
  const when = (at: Instant) => dateText(at, timeZone, `${DATE_PATTERNS.monthFirst} ${DATE_PATTERNS.timeSeconds}`);
  return (
    <>
      <header className={look.hero}>
        <div className={look.heroLine}>
          <TripMark index={index} size={44} />
          <div className={look.heroText}>
            <Heading className={look.heroName}>{name}</Heading>
            <p>
              {kindText(isRun)} · {dayText(instantOf(trip.run_start), timeZone)}
            </p>
          </div>
        </div>
        <p className={`${look.statusLine} num`}>
          <b>{timesText(trip, timeZone)}</b>
          <span>{lengthText(trip.run_duration)}</span>
        </p>
        <div className={styles.marks}>
          {marksOf(trip).map(mark => (
            <Tag key={mark}>{mark}</Tag>
          ))}
        </div>
        <dl className={`${look.figures} num`}>
          <Figure label="Distance" value={wayText(trip, words)} />
          <Figure label="Top Speed" value={speedText(trip, words)} />
          <Figure label="Lights On" value={lengthText(trip.lights_on)} />
        </dl>
        {trip.is_clipped && (
          <p className={styles.zone}>These figures, the stops, and the line are of the part in the chosen time.</p>
        )}
      </header>
      <DetailSection title="Trip">
        <KeyValues
          rows={[
            ['Asset', <AssetLink key="asset" id={thingId} name={name} />],
            ['Start', when(instantOf(trip.run_start))],
            ['End', trip.is_active ? 'Still going' : when(instantOf(trip.run_end))],
            ['From', trip.street_start],
            ['To', trip.street_end],
            ['Positions', countText(trip.points.length)],
            ...(isRun ? [['Drivers Alerted', driversText(trip)] as const] : []),
          ]}
        />
      </DetailSection>
      <Stops stops={trip.stops} timeZone={timeZone} />
    </>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  const [amount, unit] = value === NONE ? [NONE] : value.split(/ (?=\D+$)/);
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {amount}
        {unit && <small> {unit}</small>}
      </dd>
    </div>
  );
}

/** Where it stood for at least two minutes. A press goes to that instant on the map. */
function Stops({ stops, timeZone }: { stops: readonly TripStop[]; timeZone: string }) {
  if (stops.length === 0) {
    return (
      <DetailSection title="Stops">
        <p className={styles.none}>No stop of two minutes or longer.</p>
      </DetailSection>
    );
  }
  return (
    <DetailSection title={`Stops ${stops.length}`}>
      <ol className={styles.stops}>
        {stops.map(({ start, end, lat, lng }) => {
          const [from, to] = [instantOf(start), instantOf(end)];
          return (
            <li key={start} className="num">
              <Button variant="ghost" size="small" onPress={() => seek(from)}>
                {spanText(from, to, timeZone)}
              </Button>
              <span>{lengthText((to - from) / 1000)}</span>
              <small className="mono">{formatLatLng({ lat, lng })}</small>
            </li>
          );
        })}
      </ol>
    </DetailSection>
  );
}
