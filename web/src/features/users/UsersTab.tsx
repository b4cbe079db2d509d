import type { ManagerPlace } from '~/model/manager';
import { useOrganization } from '~/session';
import { UserAdd } from './UserAdd';
import { UserEdit } from './UserEdit';
import { IMPORT, UserImport } from './UserImport';
import { UserList } from './UserList';
import { UserRead } from './UserRead';

/** The Users tab: who belongs to the organization and who reaches it. */
export default function UsersTab({ view, target }: ManagerPlace) {
  const { id } = useOrganization();
  if (view === 'list') return <UserList key={id} />;
  if (target === undefined) return <UserAdd />;
  if (target === IMPORT) return <UserImport key={id} />;
  return view === 'form' ? <UserEdit id={target} /> : <UserRead id={target} />;
}
