import { MapPin } from 'lucide-react';
import { say, texts } from '~/api';
import { formatLatLng } from '~/lib/coordinates';
import { useStore } from '~/lib/store';
import { useAtNow, useThing } from '~/live';
import { assetsText } from '~/map/layers/area';
import { addressLines, isEmptyAddress } from '~/model/address';
import { type Area, areaTypeText } from '~/model/area';
import { toneOf } from '~/model/describe';
import { agoText } from '~/model/format';
import { statusLabel } from '~/model/status';
import { DrawerScreen, Heading } from '~/section/DrawerScreen';
import look from '~/section/detail.module.css';
import { EditLink, ScreenLink } from '~/section/EditLink';
import { Mark } from '~/section/Mark';
import { DetailSection } from '~/section/parts';
import { pathsOf, useGo } from '~/section/paths';
import { RowBones, ShownRow } from '~/section/shown';
import { toastUndo } from '~/section/undo';
import { mapHolder, panTo } from '~/section/view';
import { useCan, useIsPhone } from '~/session';
import { AskButton, IconButton, KeyValues, toast, useMapInSight } from '~/ui';
import { AreaMark } from './AreaMark';
import { useMayChange } from './access';
import styles from './areas.module.css';
import { CoverPart } from './CoverPart';
import { editPath, LIST_PATH } from './paths';
import { deleteArea, useShownArea } from './queries';
import { SaveToggle } from './SaveToggle';
import { useStanding } from './standing';
import { VisitLog } from './VisitLog';
import { useOnStage } from './view';
import { sizeFact } from './words';

const assetPath = pathsOf('things').detail;

/** The detail of one area. */
export function AreaDetail({ id }: { id: string }) {
  const shown = useShownArea(id);
  useMapInSight();
  useOnStage();
  return (
    <DrawerScreen id={id} list={LIST_PATH} label="Area" back={{ label: 'Areas', to: LIST_PATH }}>
      <ShownRow
        shown={shown}
        bones={<RowBones label="Loading area" />}
        back={{ label: 'Back to Areas', to: LIST_PATH }}
        missing="It may have been deleted, or your organization doesn't have access to it."
      >
        {area => <Detail area={area} />}
      </ShownRow>
    </DrawerScreen>
  );
}

function Detail({ area }: { area: Area }) {
  const changed = useAtNow(now => agoText(area.updatedAt, now));
  const may = useMayChange(area);
  const isPhone = useIsPhone();
  const lines = isEmptyAddress(area.address) ? [] : addressLines(area.address);
  return (
    <>
      <Hero area={area} />
      <Here area={area} />
      {area.isStation && <CoverPart area={area} />}
      <DetailSection title="Area" action={may.edit && !isPhone && <EditLink to={editPath(area.id)} what="Area" />}>
        <KeyValues
          rows={[
            ['Description', area.desc],
            ['Address', lines.length > 0 ? lines.map(line => <div key={line}>{line}</div>) : ''],
            [
              'Coordinates',
              <span key="at" className="mono">
                {formatLatLng(area)}
              </span>,
            ],
            sizeFact(area),
            ['Organization', area.organizationName],
            ['Last Changed', changed],
          ]}
        />
      </DetailSection>
      {area.isStation && <VisitLog id={area.id} />}
      {may.delete && <Delete area={area} />}
    </>
  );
}

/** Asks, then deletes; what is gone already says so in passing. */
function Delete({ area }: { area: Area }) {
  const go = useGo();
  return (
    <div className={styles.foot}>
      <AskButton
        label="Delete Area"
        button={{ variant: 'danger', size: 'small' }}
        title={texts.delete.area}
        run={() => deleteArea(area.id)}
        say={error => say('area.delete', error)}
        onDone={failure => {
          if (failure) toast(say('area.delete', failure));
          else toastUndo('Area deleted', 'area', { id: area.id, version: area.version + 1 });
          go(LIST_PATH, { replace: true });
        }}
      >
        {area.name}
      </AskButton>
    </div>
  );
}

function Hero({ area }: { area: Area }) {
  const map = useStore(mapHolder);
  return (
    <header className={look.hero}>
      <div className={look.heroLine}>
        <AreaMark area={area} size={48} />
        <div className={look.heroText}>
          <Heading className={look.heroName}>{area.name}</Heading>
          <p>{areaTypeText(area)}</p>
        </div>
        <div className={look.mapButtons}>
          <SaveToggle id={area.id} />
          {map && (
            <IconButton label="Pan to area" onPress={() => panTo(area.id)}>
              <MapPin size={16} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      </div>
      {!area.isActive && (
        <p className={look.statusLine}>
          <b>Inactive</b>
          <span>Assets aren't matched to it.</span>
        </p>
      )}
    </header>
  );
}

/** The assets that are in it now. */
function Here({ area }: { area: Area }) {
  const ids = useStanding(area.id);
  return (
    <DetailSection title={ids.length > 0 ? `Here now: ${assetsText(ids.length)}` : 'Here now'}>
      {ids.length === 0 ? (
        <p className={styles.none}>No assets are here now.</p>
      ) : (
        <ul className={`${styles.here} ${look.live}`}>
          {ids.map(id => (
            <Asset key={id} id={id} />
          ))}
        </ul>
      )}
    </DetailSection>
  );
}

function Asset({ id }: { id: string }) {
  const thing = useThing(id);
  const mayOpen = useCan('VIEW_THINGS');
  if (!thing) return null;
  const name = thing.primaryDisplayName;
  return (
    <li>
      <Mark thing={thing} size={26} />
      {mayOpen ? <ScreenLink to={assetPath(id)}>{name}</ScreenLink> : name}
      <span className={`s-${toneOf(thing)}`}>{statusLabel(thing.status, thing.isResponderType)}</span>
    </li>
  );
}
