import { useEffect } from 'react';
import { cx } from '~/lib/cx';
import { useAtNow, useNow } from '~/live';
import { navigationLink, waysTo } from '~/map/coordinates';
import { assetsText } from '~/map/layers/area';
import { compass, countText, durationText } from '~/model/format';
import { isEditable, type Location, type LocationThing, timeAtLocation } from '~/model/location';
import type { Words } from '~/model/organization';
import { nearestPath } from '~/section/address';
import { DetailScreen, Hero } from '~/section/DetailScreen';
import look from '~/section/detail.module.css';
import { EditLink } from '~/section/EditLink';
import { AssetLink, AssetSection, Figures, placeFact } from '~/section/facts';
import { DetailSection } from '~/section/parts';
import { useGo } from '~/section/paths';
import { useWords } from '~/section/words';
import { useCan } from '~/session';
import { Button, buttonClass, CopyButton, KeyValues } from '~/ui';
import { EventMark } from './EventMark';
import styles from './events.module.css';
import { EVENTS } from './paths';
import { useShownEvent } from './queries';
import { patchView, useOnStage } from './view';
import { lengthText, nameOf, spanText, stateOf, timeText, unitCount } from './words';

/** The detail of one event. */
export function EventDetail({ id }: { id: string }) {
  const words = useWords();
  useOnStage();
  return (
    <DetailScreen
      noun={{ what: words.event, many: words.events, list: EVENTS.list }}
      id={id}
      shown={useShownEvent(id)}
      missing="It may be too old, or your organization doesn't have access to it."
    >
      {row => <Detail row={row} words={words} />}
    </DetailScreen>
  );
}

function Detail({ row, words }: { row: Location; words: Words }) {
  const mayEdit = useCan('EDIT_EVENT') && isEditable(row);
  // The map shows what is open, however long ago it was; and until another one is, what was.
  useEffect(() => patchView({ opened: row }), [row]);
  useEffect(() => () => patchView({ opened: null }), []);
  const { things_active, things_inactive, is_active } = row;
  return (
    <>
      <Head row={row} words={words} />
      {is_active && <Units title="Here now" things={things_active} words={words} none="No assets are here now." />}
      {(things_inactive.length > 0 || !is_active) && (
        <Units title={is_active ? 'Earlier' : 'Were here'} things={things_inactive} words={words} none="No assets." />
      )}
      <DetailSection title="Location" action={mayEdit && <EditLink to={EVENTS.edit(row.id)} what="Location" />}>
        <KeyValues
          rows={[
            ['Street', row.street],
            placeFact(row),
            ['Roadway Heading', headingText(row.roadway_heading)],
            ...(row.alt === null ? [] : [['Altitude', `${Math.round(row.alt)} m`] as const]),
            ['Alert Message', row.alert_message],
            ['System ID', row.external_id],
            ...(row.is_geo_marker ? [] : [['Drivers Alerted', driversText(row.drivers_alerted)] as const]),
          ]}
        />
      </DetailSection>
    </>
  );
}

function headingText(heading: number | null): string {
  return heading === null ? '' : `${compass(heading)} · ${Math.round(heading)}°`;
}

/** Only what drivers' apps said is counted: none that said so is not the same as nobody who could. */
function driversText(count: number | null): string {
  return count === null ? 'Not measured' : countText(count);
}

function Head({ row, words }: { row: Location; words: Words }) {
  const span = useAtNow(now => spanText(row, words, now));
  const length = useAtNow(now => lengthText(row, now));
  const start = useAtNow(now => timeText(row.start_time, words, now));
  const kind = row.is_geo_marker ? `Reported ${words.event.toLowerCase()}` : words.event;
  return (
    <Hero
      id={row.id}
      mark={<EventMark isActive={row.is_active} units={unitCount(row)} size={48} />}
      name={nameOf(row)}
      what={words.event.toLowerCase()}
      status={
        <>
          <p className={look.statusLine}>
            <b className={row.is_active ? 's-scene' : 's-offline'}>{stateOf(row)}</b>
            <span>{span}</span>
          </p>
          <Figures
            rows={[
              ['Duration', length],
              ['Assets', String(unitCount(row))],
              ['Started', start],
            ]}
          />
          <Ways row={row} />
        </>
      }
    >
      <p>{[kind, row.external_id].filter(Boolean).join(' · ')}</p>
    </Hero>
  );
}

interface UnitsProps {
  title: string;
  things: readonly LocationThing[];
  words: Words;
  none: string;
}

/** Who is or was there: since when, until when, how long. */
function Units({ title, things, words, none }: UnitsProps) {
  const count = new Set(things.map(({ id }) => id)).size;
  return (
    <AssetSection title={title} count={count > 0 ? assetsText(count) : ''} none={none} look={`${styles.units} num`}>
      {things.map(thing => (
        <Unit key={`${thing.id}/${thing.start_time}`} thing={thing} words={words} />
      ))}
    </AssetSection>
  );
}

function Unit({ thing, words }: { thing: LocationThing; words: Words }) {
  const now = useNow();
  const { displayName, end_time } = thing;
  const start = timeText(thing.start_time, words, now);
  return (
    <li>
      <AssetLink id={thing.id} name={displayName} />
      <b>{durationText(end_time ? thing.runtime * 1000 : timeAtLocation(thing, now))}</b>
      <span>{end_time ? `${start} – ${timeText(end_time, words, now)}` : `since ${start}`}</span>
    </li>
  );
}

/** The way there by a navigation app; each opens in a new tab, or in the app on a phone. */
function Ways({ row }: { row: Location }) {
  const go = useGo();
  const mayList = useCan('VIEW_THINGS');
  return (
    <div className={styles.ways}>
      <CopyButton size="small" text={navigationLink(row)} label="Copy link" />
      {waysTo(row).map(({ name, href, label }) => (
        <a
          key={name}
          className={cx(buttonClass({ size: 'small' }), styles.way)}
          href={href}
          target="_blank"
          rel="noreferrer"
          aria-label={label}
        >
          {name}
        </a>
      ))}
      {mayList && (
        <Button size="small" onPress={() => go(nearestPath(row))}>
          Nearest units
        </Button>
      )}
    </div>
  );
}
