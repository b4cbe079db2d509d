import { Link } from '@tanstack/react-router';
import { texts } from '~/api';
import { liveStore, useCounts, useFilter, useIsLoaded } from '~/live';
import { isShowAll, showAllFilter } from '~/model/filter';
import { countText } from '~/model/format';
import { managerPath } from '~/model/manager';
import { maySwitch, session, useCan, useOrganization, useProfile } from '~/session';
import { Button, buttonClass, EmptyState } from '~/ui';
import { LoadingRows } from './LoadingRows';

/** Why the list is empty, and what to do about it; said only once the server has said all. */
export function NothingFound({ onClearSearch }: { onClearSearch: () => void }) {
  const filter = useFilter();
  const { total } = useCounts();
  const isLoaded = useIsLoaded();
  if (!isLoaded) return <LoadingRows />;
  if (total === 0) return liveStore.size() > 0 ? <NoneHeard known={liveStore.size()} /> : <NoAssets />;
  return (
    <EmptyState
      title={texts.empty.list}
      action={
        <>
          {filter.search !== '' && <Button onPress={onClearSearch}>Clear search</Button>}
          {!isShowAll(filter) && (
            <Button onPress={() => liveStore.setFilter(showAllFilter(filter.search))}>Show all</Button>
          )}
        </>
      }
    >
      {filter.search !== '' ? 'Try another name, plate, VIN, or ID.' : 'Your filters hide every asset.'}
    </EmptyState>
  );
}

/** Assets there are, but none has been anywhere yet. */
function NoneHeard({ known }: { known: number }) {
  return (
    <EmptyState title={texts.empty.list}>
      {known === 1
        ? '1 asset is registered. It will appear here when it first reports a position.'
        : `${countText(known)} assets are registered. They will appear here when they first report a position.`}
    </EmptyState>
  );
}

const KEY = 'create an API key for whatever reports: a gateway, a vendor, or a phone with a tracker app.';

/** The organization has no assets: the ways to its first ones, as far as somebody may go them. */
function NoAssets() {
  const isReader = useOrganization().relation === 'accessed';
  const mayManage = useCan('MANAGE_THINGS') && !isReader;
  const mayAddKey = useCan('ADD_KEY') && !isReader;
  if (!mayManage && !mayAddKey) {
    return (
      <EmptyState title={texts.empty.list} action={<Partners />}>
        This organization has no assets yet. An administrator can register them.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={texts.empty.list}
      action={
        <>
          {mayManage && (
            <>
              <Way to={managerPath('thing', { view: 'form' })} isFirst>
                Register asset
              </Way>
              <Way to={managerPath('thing', { view: 'formRead', target: 'import' })}>Import</Way>
            </>
          )}
          {mayAddKey && <Way to={managerPath('key', { view: 'form' })}>Create key</Way>}
          <Partners />
        </>
      }
    >
      {mayManage
        ? `Register the first asset, or import a list.${mayAddKey ? ` Then ${KEY}` : ''}`
        : `This organization has no assets yet. An administrator can register them; ${KEY}`}
    </EmptyState>
  );
}

const PARTNERS_AT_MOST = 3;

/** The organizations whose assets one may look at instead: who was let in must not stand before an empty list. */
function Partners() {
  const profile = useProfile();
  const here = useOrganization();
  if (!maySwitch(profile)) return null;
  return profile.organizations
    .filter(one => one.id !== here.id)
    .slice(0, PARTNERS_AT_MOST)
    .map(one => (
      <Button key={one.id} onPress={() => session.switchOrganization(one.id)}>
        Show {one.name}
      </Button>
    ));
}

function Way({ to, isFirst, children }: { to: string; isFirst?: boolean; children: string }) {
  return (
    <Link to={to as '/'} className={buttonClass(isFirst ? { variant: 'primary' } : {})}>
      {children}
    </Link>
  );
}
