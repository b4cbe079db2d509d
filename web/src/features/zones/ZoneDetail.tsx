import { MapPin } from 'lucide-react';
import { say, texts } from '~/api';
import { formatLatLng } from '~/lib/coordinates';
import { useStore } from '~/lib/store';
import { useAtNow, useThing } from '~/live';
import { toneOf } from '~/model/describe';
import { middleOf } from '~/model/features';
import { agoText, DATE_PATTERNS, dateText } from '~/model/format';
import { statusLabel } from '~/model/status';
import type { Zone, ZoneThing } from '~/model/zone';
import { isZoneActive, zoneStatus } from '~/model/zoneFilter';
import { DrawerScreen, Heading } from '~/section/DrawerScreen';
import look from '~/section/detail.module.css';
import { EditLink, ScreenLink } from '~/section/EditLink';
import { Mark } from '~/section/Mark';
import { DetailSection } from '~/section/parts';
import { pathsOf, useGo } from '~/section/paths';
import { useFullReach } from '~/section/reach';
import { RowBones, ShownRow } from '~/section/shown';
import { toastUndo } from '~/section/undo';
import { mapHolder, panTo } from '~/section/view';
import { useWords } from '~/section/words';
import { useCan } from '~/session';
import { AskButton, IconButton, KeyValues, toast, useMapInSight } from '~/ui';
import { editPath, LIST_PATH } from './paths';
import { deleteZone, useShownZone } from './queries';
import { insideText, lengthText, statusText, typeText, whyText } from './words';
import { ZoneMark } from './ZoneMark';
import styles from './zones.module.css';

const assetPath = pathsOf('things').detail;

/** The detail of one zone. */
export function ZoneDetail({ id }: { id: string }) {
  const shown = useShownZone(id);
  useMapInSight();
  return (
    <DrawerScreen id={id} list={LIST_PATH} label="Zone" back={{ label: 'Zones', to: LIST_PATH }}>
      <ShownRow
        shown={shown}
        bones={<RowBones label="Loading zone" />}
        back={{ label: 'Back to Zones', to: LIST_PATH }}
        missing="It may have been deleted, or your organization doesn't have access to it."
      >
        {zone => <Detail zone={zone} />}
      </ShownRow>
    </DrawerScreen>
  );
}

function Detail({ zone }: { zone: Zone }) {
  const changed = useAtNow(now => agoText(zone.updatedAt, now));
  const acts = useFullReach(zone.organizationId);
  const mayEdit = useCan('EDIT_ZONE') && acts;
  const mayDelete = useCan('DELETE_ZONE') && acts;
  return (
    <>
      <Hero zone={zone} />
      <Inside zone={zone} />
      <DetailSection title="Zone" action={mayEdit && <EditLink to={editPath(zone.id)} what="Zone" />}>
        <KeyValues
          rows={[
            ['Type', typeText(zone)],
            ['Alert Message', zone.alertMessage],
            ['Stays Active', `${lengthText(zone.expiryS)} after the last asset`],
            ['Zone Id', zone.externalId],
            [
              'Coordinates',
              <span key="at" className="mono">
                {formatLatLng(middleOf(zone.features))}
              </span>,
            ],
            ['Organization', zone.organizationName],
            ['Last Changed', changed],
          ]}
        />
      </DetailSection>
      {mayDelete && <Delete zone={zone} />}
    </>
  );
}

function Hero({ zone }: { zone: Zone }) {
  const map = useStore(mapHolder);
  const words = useWords();
  const status = useAtNow(now => zoneStatus(zone, now));
  const why = useAtNow(now => whyText(zone, words, now));
  return (
    <header className={look.hero}>
      <div className={look.heroLine}>
        <ZoneMark type={zone.type} isActive={status === 'active'} size={48} />
        <div className={look.heroText}>
          <Heading className={look.heroName}>{zone.description}</Heading>
          <p>{typeText(zone)}</p>
        </div>
        {map && (
          <div className={look.mapButtons}>
            <IconButton label="Pan to zone" onPress={() => panTo(zone.id)}>
              <MapPin size={16} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          </div>
        )}
      </div>
      <p className={look.statusLine}>
        <b className={`s-${status}`}>{statusText(status)}</b>
        <span>{status === 'active' ? why : 'No alerting asset is inside.'}</span>
      </p>
    </header>
  );
}

/** The alerting assets inside. On standby the head says that there are none, whatever was said of them last. */
function Inside({ zone }: { zone: Zone }) {
  const isActive = useAtNow(now => isZoneActive(zone, now));
  if (!isActive) return null;
  const { things } = zone;
  return (
    <DetailSection title={things.length > 0 ? `Alerting now: ${insideText(things.length)}` : 'Alerting now'}>
      {things.length === 0 ? (
        <p className={styles.none}>The last alerting asset has left.</p>
      ) : (
        <ul className={`${styles.here} ${look.live}`}>
          {things.map(thing => (
            <Asset key={thing.id} inside={thing} />
          ))}
        </ul>
      )}
    </DetailSection>
  );
}

function Asset({ inside: { id, displayName, since } }: { inside: ZoneThing }) {
  const thing = useThing(id);
  const mayOpen = useCan('VIEW_THINGS');
  const { timeZone } = useWords();
  const ago = useAtNow(now => agoText(since, now));
  return (
    <li>
      {thing ? <Mark thing={thing} size={26} /> : <span />}
      {mayOpen ? <ScreenLink to={assetPath(id)}>{displayName}</ScreenLink> : displayName}
      {thing ? (
        <span className={`s-${toneOf(thing)}`}>{statusLabel(thing.status, thing.isResponderType)}</span>
      ) : (
        <span />
      )}
      <small className="num">
        Inside since {dateText(since, timeZone, DATE_PATTERNS.time)} · {ago}
      </small>
    </li>
  );
}

/** Asks, then deletes; what is gone already says so in passing. */
function Delete({ zone }: { zone: Zone }) {
  const go = useGo();
  return (
    <div className={styles.foot}>
      <AskButton
        label="Delete Zone"
        button={{ variant: 'danger', size: 'small' }}
        title={texts.delete.zone}
        run={() => deleteZone(zone.id)}
        say={error => say('zone.delete', error)}
        onDone={failure => {
          if (failure) toast(say('zone.delete', failure));
          else toastUndo('Zone deleted', 'zone', { id: zone.id, version: zone.version + 1 });
          go(LIST_PATH, { replace: true });
        }}
      >
        {zone.description}
      </AskButton>
    </div>
  );
}
