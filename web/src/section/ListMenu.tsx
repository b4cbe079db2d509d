import { Ellipsis, Undo2 } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '~/lib/lazyPart';
import { useCan } from '~/session';
import { IconButton, Menu, MenuItem } from '~/ui';

const UndoDialog = lazyPart(() => import('./UndoDialog'), 'UndoDialog');

/** The menu in a list's head: what a section has there, and the way back from changes on the map. */
export function ListMenu({ children }: { children?: ReactNode }) {
  const mayUndo = useCan('UNDO_ON_MAP');
  const [isOpen, setOpen] = useState(false);
  if (!children && !mayUndo) return null;
  return (
    <>
      <Menu
        label="More"
        trigger={
          <IconButton label="More" size="small">
            <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        }
      >
        {children}
        {mayUndo && (
          <MenuItem icon={<Undo2 size={16} strokeWidth={1.75} aria-hidden="true" />} onAction={() => setOpen(true)}>
            Undo a change…
          </MenuItem>
        )}
      </Menu>
      <Suspense>{isOpen && <UndoDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
