import { useLocation, useParams } from '@tanstack/react-router';
import { Frame } from './Frame';
import { NewAccounts } from './NewAccounts';

/** /dashboard/accounts/{tab}[/{id}[/edit]] */
export function ManagerScreen() {
  const { tab, id } = useParams({ strict: false }) as { tab?: string; id?: string };
  const isEdit = useLocation({ select: location => /\/edit\/?$/.test(location.pathname) });
  return <Frame tab={tab ?? ''} id={id} isEdit={isEdit && id !== undefined} />;
}

/** /dashboard/accounts-new/{tab} */
export function NewAccountsScreen() {
  const { tab } = useParams({ strict: false }) as { tab?: string };
  return <NewAccounts tab={tab ?? ''} />;
}
