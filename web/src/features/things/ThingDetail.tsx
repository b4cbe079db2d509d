import { MapPin, Navigation } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useStore } from '~/lib/store';
import { useNow, useRow } from '~/live';
import type { MapControl } from '~/map/types';
import { configLine, cutLine, keyFigures, refusedLine, statusFacts, toneOf } from '~/model/describe';
import { NONE } from '~/model/format';
import type { Words } from '~/model/organization';
import { statusLabel } from '~/model/status';
import type { Thing } from '~/model/thing';
import { catalogName } from '~/model/thingType';
import { DrawerScreen, Heading } from '~/section/DrawerScreen';
import styles from '~/section/detail.module.css';
import { EditLink } from '~/section/EditLink';
import { Mark } from '~/section/Mark';
import { DetailSection } from '~/section/parts';
import { ShownRow } from '~/section/shown';
import { mapHolder, panTo } from '~/section/view';
import { useWords } from '~/section/words';
import { useCan, useOrganization, useProfile } from '~/session';
import { IconButton, IconToggle, KeyValues, Skeleton, SkeletonBar, Tag, useMapInSight } from '~/ui';
import { mayEditAccess, mayEditThing, ownerOf } from './access';
import { DeviceActions } from './DeviceActions';
import { Findings } from './Findings';
import { HidingChip } from './HidingChip';
import { editAccessPath, editProfilePath, LIST_PATH } from './paths';
import { useThingSubtypes, useThingTypes } from './queries';
import { SourcesSection } from './SourcesSection';
import { TestModeTag } from './TestModeTag';
import { useShownThing } from './useShownThing';

/** The detail of one asset. */
export function ThingDetail({ id }: { id: string }) {
  const shown = useShownThing(id);
  useMapInSight();
  return (
    <DrawerScreen
      id={id}
      list={LIST_PATH}
      label="Asset"
      back={{ label: 'Live', to: LIST_PATH }}
      aside={<HidingChip />}
      keys={{ f: toggleFollow }}
    >
      <ShownRow
        shown={shown}
        bones={<DetailSkeleton />}
        back={{ label: 'Back to Live', to: LIST_PATH }}
        missing="It may have been removed, or your organization doesn't have access to it."
      >
        {(thing, isComplete) => <Detail thing={thing} isComplete={isComplete} />}
      </ShownRow>
    </DrawerScreen>
  );
}

function toggleFollow(): void {
  const map = mapHolder.get();
  map?.follow(!map.getState().following);
}

function Detail({ thing, isComplete }: { thing: Thing; isComplete: boolean }) {
  const words = useWords();
  const organization = useOrganization();
  const profile = useProfile();
  const hasPermission = useCan('EDIT_THING');
  const mayEdit = isComplete && mayEditThing(thing, organization, hasPermission);
  const mayAccess = mayEditAccess(thing, ownerOf(thing, profile.organizations, organization), mayEdit);
  return (
    <>
      <Hero thing={thing} words={words} />
      <Findings thingId={thing.id} words={words} />
      <StatusSection thing={thing} words={words} />
      <DetailSection title="Profile" action={mayEdit && <EditLink to={editProfilePath(thing.id)} what="Profile" />}>
        {isComplete ? <ProfileFacts thing={thing} /> : <SkeletonBar width="60%" />}
      </DetailSection>
      <SourcesSection thing={thing} />
      <DeviceActions thing={thing} />
      <DetailSection
        title="Organization Access"
        action={mayAccess && <EditLink to={editAccessPath(thing.id)} what="Organization Access" />}
      >
        <AccessFacts thing={thing} />
      </DetailSection>
    </>
  );
}

function Hero({ thing, words }: { thing: Thing; words: Words }) {
  const kind = [thing.secondaryDisplayName, catalogName(thing.thingTypeId), catalogName(thing.thingSubtypeId)];
  const tone = toneOf(thing);
  return (
    <header className={styles.hero}>
      <div className={styles.heroLine}>
        <Mark thing={thing} size={48} />
        <div className={styles.heroText}>
          <Heading className={styles.heroName}>{thing.primaryDisplayName}</Heading>
          <p>{kind.filter(Boolean).join(' · ')}</p>
        </div>
        <MapButtons id={thing.id} />
      </div>
      <p className={styles.statusLine}>
        <b className={`s-${tone}`}>{statusLabel(thing.status, thing.isResponderType)}</b>
        <span>{thing.street}</span>
        {thing.isTestModeOn && <TestModeTag />}
        {!thing.inService && <Tag>Out-of-Service</Tag>}
      </p>
      <Figures thing={thing} words={words} />
    </header>
  );
}

const stands = (map: MapControl | null) => ({
  subscribe: (listener: () => void) => map?.subscribe(listener) ?? (() => undefined),
  following: () => map?.getState().following ?? false,
});

function MapButtons({ id }: { id: string }) {
  const map = useStore(mapHolder);
  const { subscribe, following } = stands(map);
  const isFollowing = useSyncExternalStore(subscribe, following, following);
  if (!map) return null;
  return (
    <div className={styles.mapButtons}>
      <IconButton label="Pan to asset" onPress={() => panTo(id)}>
        <MapPin size={16} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      <IconToggle label="Follow asset" shortcut="f" isSelected={isFollowing} onChange={on => map.follow(on)}>
        <Navigation size={16} strokeWidth={1.75} aria-hidden="true" />
      </IconToggle>
    </div>
  );
}

function Figures({ thing, words }: { thing: Thing; words: Words }) {
  const now = useNow();
  const location = useRow('location', thing.locationId);
  return (
    <dl className={`${styles.figures} num`}>
      {keyFigures(thing, location, words, now).map(({ label, value }) => {
        const [figure, unit] = value.split(' ');
        return (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {figure}
              {unit && <small>{unit}</small>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function StatusSection({ thing, words }: { thing: Thing; words: Words }) {
  const now = useNow();
  const cut = cutLine(thing, words, now);
  const config = configLine(thing, words, now);
  const refused = refusedLine(thing, words, now);
  return (
    <DetailSection title="Status">
      <div className={`${styles.live} num`}>
        <KeyValues rows={statusFacts(thing, words, now).map(f => [f.label, f.value] as const)} />
        {cut && <p className={styles.note}>{cut}</p>}
        {config && <p className={styles.note}>{config}</p>}
        {refused && <p className={styles.note}>{refused}</p>}
      </div>
    </DetailSection>
  );
}

function ProfileFacts({ thing }: { thing: Thing }) {
  const type = useThingTypes()?.find(t => t.id === thing.thingTypeId)?.displayName;
  const subtype = useThingSubtypes()?.find(t => t.id === thing.thingSubtypeId)?.displayName;
  const integrations = thing.integrations.map(i => `${i.name} · ${i.id}`).join(', ');
  return (
    <KeyValues
      rows={[
        ['Nickname', thing.nickname],
        ['System Id', thing.systemId],
        ['Type', type ?? catalogName(thing.thingTypeId)],
        ['Subtype', subtype ?? catalogName(thing.thingSubtypeId)],
        ['VIN', thing.vinNumber && <span className="mono">{thing.vinNumber}</span>],
        ['Plate#', thing.plateNumber],
        ['Vehicle Id', thing.registryNumber],
        ['Integrations', integrations],
      ]}
    />
  );
}

function AccessFacts({ thing }: { thing: Thing }) {
  const names = (kind: 'manager' | 'accessor') =>
    thing.relationships
      .filter(r => r.relationType === kind)
      .map(r => r.organizationName)
      .join(', ') || NONE;
  return (
    <KeyValues
      rows={[
        ['Owner', thing.organization.name],
        ['Managers', names('manager')],
        ['Accessors', names('accessor')],
      ]}
    />
  );
}

function DetailSkeleton() {
  return (
    <Skeleton label="Loading asset">
      <div className={styles.hero}>
        <div className={styles.heroLine}>
          <SkeletonBar width={44} height={44} round />
          <div className={styles.heroText}>
            <SkeletonBar width="55%" height={18} />
            <SkeletonBar width="75%" height={11} />
          </div>
        </div>
        <SkeletonBar height={58} />
      </div>
      {['90%', '70%', '80%', '60%', '75%'].map(width => (
        <div key={width} className={styles.boneLine}>
          <SkeletonBar width={width} />
        </div>
      ))}
    </Skeleton>
  );
}
