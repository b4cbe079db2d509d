import { useAtNow } from '~/live';
import { middleOf } from '~/model/features';
import { agoText, DATE_PATTERNS, dateText } from '~/model/format';
import type { Instant } from '~/model/instant';
import type { Zone } from '~/model/zone';
import { isZoneActive, zoneStatus } from '~/model/zoneFilter';
import { DeleteRow, DetailScreen, Hero } from '~/section/DetailScreen';
import look from '~/section/detail.module.css';
import { EditLink } from '~/section/EditLink';
import { Asset, AssetSection, placeFact } from '~/section/facts';
import { DetailSection } from '~/section/parts';
import { useMay } from '~/section/reach';
import { useWords } from '~/section/words';
import { KeyValues } from '~/ui';
import { ZONES } from './noun';
import { insideText, lengthText, statusText, typeText, whyText } from './words';
import { ZoneMark } from './ZoneMark';

/** The detail of one zone. */
export function ZoneDetail({ id }: { id: string }) {
  return (
    <DetailScreen noun={ZONES} id={id} shown={ZONES.useShown(id)}>
      {zone => <Detail zone={zone} />}
    </DetailScreen>
  );
}

function Detail({ zone }: { zone: Zone }) {
  const changed = useAtNow(now => agoText(zone.updated_at, now));
  const mayEdit = useMay('EDIT_ZONE', zone.organization_id);
  const mayDelete = useMay('DELETE_ZONE', zone.organization_id);
  return (
    <>
      <Head zone={zone} />
      <Inside zone={zone} />
      <DetailSection title="Zone" action={mayEdit && <EditLink to={ZONES.edit(zone.id)} what="Zone" />}>
        <KeyValues
          rows={[
            ['Type', typeText(zone)],
            ['Alert Message', zone.alert_message],
            ['Stays Active', `${lengthText(zone.expiryS)} after the last asset`],
            ['Zone Id', zone.external_id],
            placeFact(middleOf(zone.shapes)),
            ['Organization', zone.organization_name],
            ['Last Changed', changed],
          ]}
        />
      </DetailSection>
      {mayDelete && (
        <DeleteRow noun={ZONES} row={zone}>
          {zone.description}
        </DeleteRow>
      )}
    </>
  );
}

function Head({ zone }: { zone: Zone }) {
  const words = useWords();
  const status = useAtNow(now => zoneStatus(zone, now));
  const why = useAtNow(now => whyText(zone, words, now));
  return (
    <Hero
      id={zone.id}
      mark={<ZoneMark type={zone.alerting_zone_type_name} isActive={status === 'active'} size={48} />}
      name={zone.description}
      what="zone"
      status={
        <p className={look.statusLine}>
          <b className={`s-${status}`}>{statusText(status)}</b>
          <span>{status === 'active' ? why : 'No alerting asset is inside.'}</span>
        </p>
      }
    >
      <p>{typeText(zone)}</p>
    </Hero>
  );
}

/** The alerting assets inside. On standby the head says that there are none, whatever was said of them last. */
function Inside({ zone }: { zone: Zone }) {
  const isActive = useAtNow(now => isZoneActive(zone, now));
  if (!isActive) return null;
  const { length } = zone.active_things;
  return (
    <AssetSection
      title="Alerting now"
      count={length > 0 ? insideText(length) : ''}
      none="The last alerting asset has left."
    >
      {zone.active_things.map(thing => (
        <Asset key={thing.id} id={thing.id} name={thing.displayName}>
          <Since since={thing.since} />
        </Asset>
      ))}
    </AssetSection>
  );
}

function Since({ since }: { since: Instant }) {
  const { timeZone } = useWords();
  const ago = useAtNow(now => agoText(since, now));
  return (
    <small className="num">
      Inside since {dateText(since, timeZone, DATE_PATTERNS.time)} · {ago}
    </small>
  );
}
