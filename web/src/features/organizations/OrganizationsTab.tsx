import type { ManagerPlace } from '~/model/manager';
import { EmptyState, OfficePage } from '~/ui';
import { OrganizationEdit } from './OrganizationEdit';
import { OrganizationList } from './OrganizationList';
import { OrganizationRead } from './OrganizationRead';

/** The Organizations tab: the own one, and those that are managed or accessed. */
export default function OrganizationsTab({ view, target }: ManagerPlace) {
  if (view === 'list') return <OrganizationList />;
  if (target !== undefined)
    return view === 'form' ? <OrganizationEdit id={target} /> : <OrganizationRead id={target} />;
  // Organizations are made where the product is set up, never here.
  return (
    <OfficePage>
      <EmptyState title="Organization not found" />
    </OfficePage>
  );
}
