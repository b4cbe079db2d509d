import { useState } from 'react';
import { say } from '~/api';
import { instantOf } from '~/model/instant';
import { To, UndoImport } from '~/office';
import { useMay } from '~/session';
import { Button, Card, ErrorNotice, Notice } from '~/ui';
import type { Role } from './member';
import { type UserImport, type UserImportUndo, useUserMutations } from './queries';
import { UserImportRows } from './UserImportRows';
import styles from './users.module.css';

export interface UserImportDoneProps {
  result: UserImport;
  roles: readonly Role[];
  onAnother: () => void;
}

/** What an import has done, and for a while the way back; then what taking it back has done. */
export function UserImportDone({ result, roles, onAnother }: UserImportDoneProps) {
  const mutations = useUserMutations();
  const mayRemove = useMay('DELETE_USER');
  const [undone, setUndone] = useState<UserImportUndo>();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const undo = async (id: string) => {
    setPending(true);
    setFailure(undefined);
    try {
      setUndone(await mutations.undoImport(id));
    } catch (error) {
      setFailure(say('things.import', error));
    } finally {
      setPending(false);
    }
  };
  return (
    <Card title={undone ? 'Import undone' : 'Import finished'}>
      {undone ? <Undone undone={undone} /> : <Finished result={result} roles={roles} />}
      {!undone && result.import_id && mayRemove && (
        <UndoImport
          until={instantOf(result.undo_until)}
          isPending={isPending}
          onUndo={() => void undo(result.import_id ?? '')}
          does="Removes those who haven't accepted the invitation, and makes its link useless."
        />
      )}
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
      <div className={styles.ways}>
        <To tab="user" button={{ variant: 'primary' }}>
          View users
        </To>
        <Button onPress={onAnother}>Import another file</Button>
      </div>
    </Card>
  );
}

function Finished({ result, roles }: Omit<UserImportDoneProps, 'onAnother'>) {
  const { invite, unchanged, refused, invitations, rows } = result;
  return (
    <div className={styles.preview}>
      <p role="status">
        {invite} {invitations === 'none' ? 'added' : 'invited'}, {unchanged} already here
        {refused > 0 && `, ${refused} left out`}.
      </p>
      {invitations === 'waiting' && (
        <Notice tone="warn">
          The invitations wait on the server, because no mail server is set up. Copy the invitation link on a user's
          page instead.
        </Notice>
      )}
      {invitations === 'none' && <p>They sign in with your organization's provider.</p>}
      {refused > 0 && (
        <UserImportRows label="Left out" rows={rows.filter(row => row.action === 'refused')} roles={roles} />
      )}
    </div>
  );
}

function Undone({ undone: { deleted, left } }: { undone: UserImportUndo }) {
  return (
    <>
      <p role="status">
        {deleted} removed{left.length > 0 && `, ${left.length} not`}.
      </p>
      {left.length > 0 && (
        <ul className={styles.errors}>
          {left.map(({ email, reason }, at) => (
            <li key={email || at}>
              {email && `${email}: `}
              {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
