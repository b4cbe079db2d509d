import { MapPin, Navigation } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useStore } from '~/lib/store';
import { useLocations, useNow } from '~/live';
import type { MapControl } from '~/map/types';
import { keyFigures, statusFacts, toneOf } from '~/model/describe';
import { NONE } from '~/model/format';
import type { Words } from '~/model/organization';
import { statusLabel } from '~/model/status';
import type { Thing } from '~/model/thing';
import { catalogName } from '~/model/thingType';
import { useCan, useOrganization, useProfile, useShortcuts } from '~/session';
import {
  Bone,
  Button,
  EmptyState,
  ErrorNotice,
  IconButton,
  IconToggle,
  KeyValues,
  Skeleton,
  Tag,
  useMapInSight,
} from '~/ui';
import { mayEditAccess, mayEditThing, ownerOf } from './access';
import styles from './detail.module.css';
import { EditLink } from './EditLink';
import { HidingChip } from './HidingChip';
import { Mark } from './Mark';
import { BackButton, DetailSection } from './parts';
import { editAccessPath, editProfilePath, LIST_PATH, useGo, useOwnOrganization } from './paths';
import { useThingSubtypes, useThingTypes } from './queries';
import screen from './screen.module.css';
import { useShownThing } from './useShownThing';
import { mapHolder, panTo, useSelected } from './view';
import { useWords } from './words';

/** The detail of one asset. */
export function ThingDetail({ id }: { id: string }) {
  const go = useGo();
  const shown = useShownThing(id);
  const back = () => go(LIST_PATH);
  useSelected(id);
  useOwnOrganization();
  useMapInSight();
  useShortcuts({ Escape: back, f: toggleFollow });
  return (
    <article className={screen.screen} aria-label="Asset">
      <div className={styles.detailScroll}>
        <div className={styles.backLine} data-sheet-head>
          <BackButton label="Live" onPress={back} />
          <HidingChip />
        </div>
        {shown.state === 'loading' && <DetailBones />}
        {shown.state === 'failed' && shown.isMissing && (
          <EmptyState title={shown.text} action={<Button onPress={back}>Back to Live</Button>}>
            It may have been removed, or your organization doesn't have access to it.
          </EmptyState>
        )}
        {shown.state === 'failed' && !shown.isMissing && (
          <ErrorNotice className={screen.failure ?? ''} onRetry={shown.retry}>
            {shown.text}
          </ErrorNotice>
        )}
        {shown.state === 'shown' && <Shown thing={shown.thing} isComplete={shown.isComplete} />}
      </div>
    </article>
  );
}

function toggleFollow(): void {
  const map = mapHolder.get();
  map?.follow(!map.getState().following);
}

function Shown({ thing, isComplete }: { thing: Thing; isComplete: boolean }) {
  const words = useWords();
  const organization = useOrganization();
  const profile = useProfile();
  const hasPermission = useCan('EDIT_THING');
  const mayEdit = isComplete && mayEditThing(thing, organization, hasPermission);
  const mayAccess = mayEditAccess(thing, ownerOf(thing, profile.organizations, organization), mayEdit);
  return (
    <>
      <Hero thing={thing} words={words} />
      <StatusSection thing={thing} words={words} />
      <DetailSection title="Profile" action={mayEdit && <EditLink to={editProfilePath(thing.id)} what="Profile" />}>
        {isComplete ? <ProfileFacts thing={thing} /> : <Bone width="60%" />}
      </DetailSection>
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
  const title = useRef<HTMLHeadingElement>(null);
  // A screen that replaces another one says so: focus goes to its name.
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  const kind = [thing.secondaryDisplayName, catalogName(thing.thingTypeId), catalogName(thing.thingSubtypeId)];
  const tone = toneOf(thing.status);
  return (
    <header className={styles.hero}>
      <div className={styles.heroLine}>
        <Mark thing={thing} size={48} />
        <div className={styles.heroText}>
          <h1 ref={title} tabIndex={-1} className={styles.heroName}>
            {thing.primaryDisplayName}
          </h1>
          <p>{kind.filter(Boolean).join(' · ')}</p>
        </div>
        <MapButtons id={thing.id} />
      </div>
      <p className={styles.statusLine}>
        <b className={`s-${tone}`}>{statusLabel(thing.status, thing.isResponderType)}</b>
        <span>{thing.street}</span>
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
  const location = useLocations().find(l => l.id === thing.locationId);
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
  return (
    <DetailSection title="Status">
      <div className={`${styles.live} num`}>
        <KeyValues rows={statusFacts(thing, words, now).map(f => [f.label, f.value] as const)} />
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

function DetailBones() {
  return (
    <Skeleton label="Loading asset">
      <div className={styles.hero}>
        <div className={styles.heroLine}>
          <Bone width={44} height={44} round />
          <div className={styles.heroText}>
            <Bone width="55%" height={18} />
            <Bone width="75%" height={11} />
          </div>
        </div>
        <Bone height={58} />
      </div>
      {['90%', '70%', '80%', '60%', '75%'].map(width => (
        <div key={width} className={styles.boneLine}>
          <Bone width={width} />
        </div>
      ))}
    </Skeleton>
  );
}
