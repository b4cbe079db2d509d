import { Link } from '@tanstack/react-router';
import { managerPath } from '~/model/manager';
import { useCan, useOrganization } from '~/session';
import { BackIcon, backLinkClass } from '~/ui';

/** The word in place of an id for the import's page. */
export const IMPORT = 'import';

export const ToAssets = () => (
  <Link to={managerPath('thing') as '/'} className={backLinkClass}>
    <BackIcon />
    Assets
  </Link>
);

/** Whether assets may be registered, imported, given away and deleted here. */
export function useMayManage(): boolean {
  const { relation } = useOrganization();
  return useCan('MANAGE_THINGS') && relation !== 'accessed';
}
