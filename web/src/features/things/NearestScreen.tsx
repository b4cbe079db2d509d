import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { formatLatLng } from '~/lib/coordinates';
import { cx } from '~/lib/cx';
import { useStore } from '~/lib/store';
import { liveStore, useAtNow, useThing } from '~/live';
import { boundsOf } from '~/map/geometry';
import { describeThing } from '~/model/describe';
import { distanceText, truncate } from '~/model/format';
import type { Near } from '~/model/nearest';
import type { Words } from '~/model/organization';
import { streetAt } from '~/model/places';
import type { Thing } from '~/model/thing';
import { ListWaiting } from '~/section/ListStates';
import look from '~/section/list.module.css';
import { Mark } from '~/section/Mark';
import { BackButton, DetailSection } from '~/section/parts';
import { useGo } from '~/section/paths';
import screen from '~/section/screen.module.css';
import { useAim } from '~/section/useAim';
import { mapHolder, useNoneSelected } from '~/section/view';
import { useWords } from '~/section/words';
import { useShortcuts } from '~/session';
import { EmptyState } from '~/ui';
import { useNearest, useOnRoads } from './nearest';
import styles from './nearest.module.css';
import { detailPath, LIST_PATH } from './paths';
import { TestModeTag } from './TestModeTag';

interface LatLng {
  lat: number;
  lng: number;
}

const ROW_PX = 65;
/** So many of the nearest are brought into sight with the place. */
const SIGHT = 3;

/** Who is near to a place: units that are heard first, then those of which only their last place is known. */
export function NearestScreen({ place }: { place: LatLng }) {
  const go = useGo();
  const words = useWords();
  const up = () => go(LIST_PATH);
  const nearest = useNearest(place);
  useNoneSelected();
  useAim(place);
  useSight(place, nearest?.live);
  useShortcuts({ Escape: up });
  return (
    <article className={screen.screen} aria-label="Nearest units">
      <div className={screen.scroll}>
        <div className={screen.backLine} data-sheet-head>
          <BackButton label="Live" onPress={up} />
        </div>
        <header className={styles.head}>
          <h1>Nearest units</h1>
          <p>
            <PlaceName place={place} />. Distances are straight lines.
          </p>
        </header>
        {nearest ? (
          <Lists nearest={nearest} place={place} words={words} />
        ) : (
          <ListWaiting label="Loading assets" px={ROW_PX} />
        )}
      </div>
    </article>
  );
}

/** "Near North Market Street"; its coordinates where no street is known. */
function PlaceName({ place }: { place: LatLng }) {
  const { data } = useQuery({
    queryKey: ['geocode', 'street', place],
    // The name is a courtesy: without it the coordinates stand there.
    queryFn: ({ signal }) => streetAt(place, signal).catch(() => null),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ? `Near ${data.label}` : formatLatLng(place);
}

/** Brings the place and those who are nearest into sight, once. */
function useSight(place: LatLng, live: readonly Near[] | undefined): void {
  const map = useStore(mapHolder);
  const shown = useRef('');
  useEffect(() => {
    const key = formatLatLng(place);
    if (!map || !live || shown.current === key) return;
    shown.current = key;
    const bounds = boundsOf([place, ...live.slice(0, SIGHT).flatMap(({ id }) => liveStore.thing(id) ?? [])]);
    if (bounds && live.length > 0) map.fitBounds(bounds);
    else map.goTo(place);
  }, [map, place, live]);
}

interface ListsProps {
  nearest: NonNullable<ReturnType<typeof useNearest>>;
  place: LatLng;
  words: Words;
}

function Lists({ nearest, place, words }: ListsProps) {
  const roads = useOnRoads(nearest, place);
  const { live, silent } = nearest;
  if (live.length + silent.length === 0)
    return <EmptyState title="No results found.">No unit in service has a place.</EmptyState>;
  return (
    <>
      {live.length > 0 ? (
        <ol className={styles.rows} aria-label="Units that are heard">
          {live.map(near => (
            <Row key={near.id} near={near} road={roads.get(near.id)} words={words} />
          ))}
        </ol>
      ) : (
        <p className={styles.none}>No unit is heard right now.</p>
      )}
      {silent.length > 0 && (
        <DetailSection title="Not heard lately">
          <p className={styles.why}>These were here when they last reported. They may be elsewhere now.</p>
          <ol className={styles.rows} aria-label="Units not heard lately">
            {silent.map(near => (
              <Row key={near.id} near={near} words={words} isSilent />
            ))}
          </ol>
        </DetailSection>
      )}
    </>
  );
}

interface RowProps {
  near: Near;
  /** meters along roads */
  road?: number | undefined;
  words: Words;
  isSilent?: boolean;
}

function Row({ near, ...rest }: RowProps) {
  const thing = useThing(near.id);
  return thing ? (
    <li>
      <Unit thing={thing} near={near} {...rest} />
    </li>
  ) : null;
}

function Unit({ thing, near, road, words, isSilent = false }: RowProps & { thing: Thing }) {
  const go = useGo();
  const unit = words.speedUnit;
  const age = useAtNow(now => describeThing(thing, words, now).age);
  const { label, tone } = describeThing(thing, words, 0);
  const path = detailPath(thing.id);
  return (
    <a
      className={cx(look.row, look.withEnd, styles.unit, isSilent && look.old)}
      href={path}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go(path);
      }}
    >
      <Mark thing={thing} />
      <span className={look.rowText}>
        <span className={look.name}>{truncate(thing.primaryDisplayName)}</span>
        <span className={look.line}>
          <b className={isSilent ? '' : `s-${tone}`}>{label}</b> {thing.isTestModeOn && <TestModeTag />}{' '}
          <span>
            {isSilent
              ? age
                ? `last heard ${age} ago`
                : 'never heard'
              : `heard ${age === 'now' ? 'now' : `${age} ago`}`}
          </span>
        </span>
      </span>
      <span className={cx(styles.far, 'num')}>
        <b>{distanceText(unit, near.meters)}</b>
        {road !== undefined && <small>{distanceText(unit, road)} by road</small>}
      </span>
    </a>
  );
}
