import { CircleSlash, Ellipsis, KeyRound, Link, LogOut, Mail, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { say } from '~/api';
import { useGoTo } from '~/office';
import { useCan, useProfile } from '~/session';
import { ConfirmAction, IconButton, Menu, MenuItem, MenuSeparator, RowActions, toast } from '~/ui';
import { CopyInvitation } from './CopyInvitation';
import { fullName, type Member } from './member';
import { sayUser, useUserMutations } from './queries';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

type Question = 'delete' | 'sessions' | 'factor' | 'link';

/** Said where a user is not there. */
export const MISSING = 'The selected user could not be found';

/** What may be done about a user; nothing when there is nothing. */
export function UserMenu({ member, inRow, onDeleted }: { member: Member; inRow?: boolean; onDeleted?: () => void }) {
  const [question, setQuestion] = useState<Question>();
  const entries = useEntries(member, setQuestion, inRow ?? false);
  if (entries.length === 0) return null;
  const menu = (
    <Menu
      label={`Actions for ${fullName(member)}`}
      trigger={
        <IconButton label={`Actions for ${fullName(member)}`} variant={inRow ? 'ghost' : 'default'}>
          <Ellipsis {...icon} />
        </IconButton>
      }
    >
      {entries}
    </Menu>
  );
  return (
    <>
      {inRow ? <RowActions>{menu}</RowActions> : menu}
      {question && (
        <Asked
          question={question}
          member={member}
          onClose={() => setQuestion(undefined)}
          {...(onDeleted ? { onDeleted } : {})}
        />
      )}
    </>
  );
}

function useEntries(member: Member, ask: (question: Question) => void, inRow: boolean): ReactNode[] {
  const goTo = useGoTo();
  const { userId } = useProfile();
  const may = useMayDo(member);
  const { suspend, invite } = usePassing(member);
  const isSelf = member.id === userId;
  const entries: ReactNode[] = [];
  const add = (id: string, text: string, glyph: ReactNode, act: () => void, danger = false) =>
    entries.push(
      <MenuItem key={id} id={id} icon={glyph} onAction={act} danger={danger}>
        {text}
      </MenuItem>,
    );
  if (may.edit && inRow)
    add('edit', 'Edit', <Pencil {...icon} />, () => {
      void goTo({ tab: 'user', id: member.id, form: true });
    });
  if (may.edit && member.invitation_open && !member.suspended)
    add('invite', 'Resend invitation', <Mail {...icon} />, () => void invite());
  if (may.edit && member.no_password && !member.suspended && !isSelf)
    add('invite', 'Send a password invitation', <Mail {...icon} />, () => void invite());
  if (may.invite && (member.invitation_open || member.no_password) && !member.suspended && !isSelf)
    add('link', 'Copy invitation link', <Link {...icon} />, () => ask('link'));
  if (may.edit && !isSelf) {
    add('sessions', 'Sign out everywhere', <LogOut {...icon} />, () => ask('sessions'));
    if (member.second_factor) add('factor', 'Reset 2FA', <KeyRound {...icon} />, () => ask('factor'));
    if (member.suspended) add('reactivate', 'Reactivate', <RotateCcw {...icon} />, () => void suspend(false));
    else add('suspend', 'Suspend', <CircleSlash {...icon} />, () => void suspend(true));
  }
  if (may.delete && !isSelf) {
    if (entries.length > 0) entries.push(<MenuSeparator key="line" />);
    add('delete', 'Delete', <Trash2 {...icon} />, () => ask('delete'), true);
  }
  return entries;
}

/** What the signed-in user may do about another; a courtesy, the server decides. */
export function useMayDo(member: Member): { edit: boolean; delete: boolean; invite: boolean } {
  const edit = useCan('EDIT_USER');
  const remove = useCan('DELETE_USER');
  const invite = useCan('ADD_USER');
  return { edit: edit && member.can_edit, delete: remove && member.can_edit, invite: invite && member.can_edit };
}

/** What needs no question: it can be taken back, or harms nobody. */
function usePassing(member: Member) {
  const mutations = useUserMutations();
  const suspend = async (on: boolean): Promise<void> => {
    try {
      await mutations.update(member.id, { suspended: on });
      toast(on ? `${fullName(member)} is suspended and signed out` : `${fullName(member)} can sign in again`, {
        action: { label: 'Undo', onPress: () => void suspend(!on) },
      });
    } catch (error) {
      toast(sayUser(error), { tone: 'danger' });
    }
  };
  const invite = async () => {
    try {
      await mutations.tellInvited(await mutations.invite(member.id));
    } catch (error) {
      toast(say('generic', error), { tone: 'danger' });
    }
  };
  return { suspend, invite };
}

interface AskedProps {
  question: Question;
  member: Member;
  onClose: () => void;
  onDeleted?: () => void;
}

function Asked({ question, member, onClose, onDeleted }: AskedProps) {
  const mutations = useUserMutations();
  const name = fullName(member);
  const remove = async () => {
    const gone = await mutations.remove(member.id);
    toast(gone ? say('generic', gone) : `${name} is deleted`);
    onDeleted?.();
  };
  const shared = { onClose, say: (error: unknown) => say('generic', error) };
  if (question === 'delete')
    return (
      <ConfirmAction {...shared} title="Are you sure you want to delete this user?" run={remove}>
        <p>
          <b>{name}</b> ({member.email}) is signed out everywhere and cannot sign in again. What they did stays in the
          audit. {keysText(member.api_keys)}
        </p>
      </ConfirmAction>
    );
  if (question === 'link') return <CopyInvitation member={member} onClose={onClose} />;
  if (question === 'sessions') return <SignOut member={member} onClose={onClose} />;
  return (
    <ConfirmAction
      {...shared}
      title={`Reset two-factor authentication for ${name}?`}
      run={async () => {
        await mutations.resetSecondFactor(member.id);
        toast(`Two-factor authentication was reset for ${name}`);
      }}
    >
      <p>
        Their authenticator app, passkeys, and recovery codes stop working. Make sure you know who is asking: until they
        set up 2FA again, their password alone is enough to sign in.
      </p>
    </ConfirmAction>
  );
}

/** Asks before a user is signed out everywhere. */
export function SignOut({ member, onClose }: Pick<AskedProps, 'member' | 'onClose'>) {
  const mutations = useUserMutations();
  const name = fullName(member);
  return (
    <ConfirmAction
      title={`Sign ${name} out everywhere?`}
      say={error => say('generic', error)}
      onClose={onClose}
      run={async () => {
        await mutations.endSessions(member.id);
        toast(`${name} is signed out everywhere`);
      }}
    >
      <p>All sessions end within 5 seconds. {name} can sign in again right away.</p>
    </ConfirmAction>
  );
}

const keysText = (keys: number) =>
  keys === 0 ? '' : keys === 1 ? 'Their API key stops working.' : `Their ${keys} API keys stop working.`;
