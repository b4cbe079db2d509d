import type { ManagerPlace } from '~/model/manager';
import { PathRedirect } from '~/office';
import { useOrganization } from '~/session';
import { AssetAdd } from './AssetAdd';
import { AssetImport } from './AssetImport';
import { AssetList } from './AssetList';
import { AssetRead } from './AssetRead';
import { IMPORT, profilePath } from './parts';

/** The Assets tab: what the organization owns, and how it comes and goes. */
export default function AssetsTab({ view, target }: ManagerPlace) {
  const { id } = useOrganization();
  if (view === 'list') return <AssetList key={id} />;
  if (target === undefined) return <AssetAdd key={id} />;
  if (target === IMPORT) return <AssetImport key={id} />;
  // An asset has one form, which Live shows beside the map.
  if (view === 'form') return <PathRedirect path={profilePath(target)} />;
  return <AssetRead id={target} />;
}
