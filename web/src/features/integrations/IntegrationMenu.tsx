import { Ellipsis, ListChecks, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { say } from '~/api';
import { sayMarked, useGoTo } from '~/office';
import { toastBack } from '~/section/undo';
import { useMay } from '~/session';
import { ConfirmAction, IconButton, Menu, MenuItem, MenuSeparator, RowActions, toast } from '~/ui';
import { isUnstarted } from './health';
import { type Integration, MAY, providerOf, TAB, useIntegrationMutations } from './integration';
import { useGoToVehicles } from './paths';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** What may be done about an integration; nothing when there is nothing. */
export function IntegrationMenu({ row }: { row: Integration }) {
  const [asks, setAsks] = useState(false);
  const entries = useEntries(row, () => setAsks(true));
  if (entries.length === 0) return null;
  const label = `Actions for ${row.name}`;
  return (
    <>
      <RowActions>
        <Menu
          label={label}
          trigger={
            <IconButton label={label} variant="ghost">
              <Ellipsis {...icon} />
            </IconButton>
          }
        >
          {entries}
        </Menu>
      </RowActions>
      {asks && <Remove row={row} onClose={() => setAsks(false)} />}
    </>
  );
}

function useEntries(row: Integration, onRemove: () => void): ReactNode[] {
  const goTo = useGoTo();
  const goToVehicles = useGoToVehicles();
  const pause = usePause(row);
  const [mayEdit, mayCheck, mayRemove] = [useMay(MAY.edit), useMay(MAY.add), useMay(MAY.remove)];
  const entries: ReactNode[] = [];
  const add = (id: string, text: string, glyph: ReactNode, act: () => void, danger = false) =>
    entries.push(
      <MenuItem key={id} id={id} icon={glyph} onAction={act} danger={danger}>
        {text}
      </MenuItem>,
    );
  if (mayEdit) {
    if (row.is_active) add('pause', 'Pause', <Pause {...icon} />, () => void pause(true));
    else if (!isUnstarted(row)) add('resume', 'Resume', <Play {...icon} />, () => void pause(false));
  }
  if (mayCheck) add('check', 'Check vehicles', <ListChecks {...icon} />, () => void goToVehicles(row.id));
  if (mayEdit) add('edit', 'Edit', <Pencil {...icon} />, () => void goTo({ tab: TAB, id: row.id, form: true }));
  if (mayRemove) {
    if (entries.length > 0) entries.push(<MenuSeparator key="line" />);
    add('remove', 'Remove', <Trash2 {...icon} />, onRemove, true);
  }
  return entries;
}

/** Pauses or resumes it; it needs no question, since it can be taken back. */
export function usePause(row: Integration): (on: boolean) => Promise<void> {
  const mutations = useIntegrationMutations();
  return async on => {
    try {
      const saved = await mutations.save(row, { is_active: !on });
      toastBack(on ? `“${row.name}” is paused` : `“${row.name}” goes on`, () => mutations.undo(saved));
    } catch (error) {
      toast(sayMarked('generic')(error), { tone: 'danger' });
    }
  };
}

/** Asks before an integration is removed. */
export function Remove({ row, onClose, onDone }: { row: Integration; onClose: () => void; onDone?: () => void }) {
  const mutations = useIntegrationMutations();
  const { label, secret } = providerOf(row.provider);
  return (
    <ConfirmAction
      title={`Remove “${row.name}”?`}
      say={error => say('generic', error)}
      run={() => mutations.remove(row.id)}
      onClose={onClose}
      onDone={gone => {
        if (gone) toast(say('generic', gone));
        else toastBack(`“${row.name}” is removed`, () => mutations.undo({ id: row.id, version: row.version + 1 }));
        onClose();
        onDone?.();
      }}
    >
      <p>
        {label} is no longer asked. Its vehicles' assets and what they reported stay. The saved {secret.toLowerCase()}{' '}
        is deleted after 24 hours.
      </p>
    </ConfirmAction>
  );
}
