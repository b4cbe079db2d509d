import { useAtNow } from '~/live';
import { assetsText } from '~/map/layers/area';
import { addressLines, isEmptyAddress } from '~/model/address';
import { type Area, areaTypeText } from '~/model/area';
import { agoText } from '~/model/format';
import { DeleteRow, DetailScreen, Hero } from '~/section/DetailScreen';
import look from '~/section/detail.module.css';
import { EditLink } from '~/section/EditLink';
import { Asset, AssetSection, placeFact } from '~/section/facts';
import { DetailSection } from '~/section/parts';
import { useIsPhone } from '~/session';
import { KeyValues } from '~/ui';
import { AreaMark } from './AreaMark';
import { useMayChange } from './access';
import { useAssetsIn } from './assetsIn';
import { CoverPart } from './CoverPart';
import { AREAS } from './noun';
import { SaveToggle } from './SaveToggle';
import { VisitLog } from './VisitLog';
import { useOnStage } from './view';
import { sizeFact } from './words';

/** The detail of one area. */
export function AreaDetail({ id }: { id: string }) {
  useOnStage();
  return (
    <DetailScreen noun={AREAS} id={id} shown={AREAS.useShown(id)}>
      {area => <Detail area={area} />}
    </DetailScreen>
  );
}

function Detail({ area }: { area: Area }) {
  const changed = useAtNow(now => agoText(area.updated_at, now));
  const may = useMayChange(area);
  const isPhone = useIsPhone();
  const lines = isEmptyAddress(area.address) ? [] : addressLines(area.address);
  return (
    <>
      <Head area={area} />
      <Here area={area} />
      {area.isStation && <CoverPart area={area} />}
      <DetailSection title="Area" action={may.edit && !isPhone && <EditLink to={AREAS.edit(area.id)} what="Area" />}>
        <KeyValues
          rows={[
            ['Description', area.desc],
            ['Address', lines.length > 0 ? lines.map(line => <div key={line}>{line}</div>) : ''],
            placeFact(area),
            sizeFact(area),
            ['Organization', area.organization_name],
            ['Last Changed', changed],
          ]}
        />
      </DetailSection>
      {area.isStation && <VisitLog id={area.id} />}
      {may.delete && (
        <DeleteRow noun={AREAS} row={area}>
          {area.name}
        </DeleteRow>
      )}
    </>
  );
}

function Head({ area }: { area: Area }) {
  return (
    <Hero
      id={area.id}
      mark={<AreaMark area={area} size={48} />}
      name={area.name}
      what="area"
      buttons={<SaveToggle id={area.id} />}
      status={
        !area.is_active && (
          <p className={look.statusLine}>
            <b>Inactive</b>
            <span>Assets aren't matched to it.</span>
          </p>
        )
      }
    >
      <p>{areaTypeText(area)}</p>
    </Hero>
  );
}

/** The assets that are in it now. */
function Here({ area }: { area: Area }) {
  const ids = useAssetsIn(area.id);
  const count = ids.length > 0 ? assetsText(ids.length) : '';
  return (
    <AssetSection title="Here now" count={count} none="No assets are here now.">
      {ids.map(id => (
        <Asset key={id} id={id} />
      ))}
    </AssetSection>
  );
}
