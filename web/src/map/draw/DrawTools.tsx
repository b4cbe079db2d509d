import { Check, List, Redo2, Trash2, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cx } from '~/lib/cx';
import { useMedia } from '~/lib/media';
import { useStore } from '~/lib/store';
import { useIsPhone } from '~/session';
import { Button, IconButton, IconToggle } from '~/ui';
import { useToolbar } from '~/ui/toolbar';
import { CircleFields } from './CircleFields';
import styles from './draw.module.css';
import type { Drawing } from './drawing';
import { Points } from './Points';

/** The tools of the shape that is being drawn: what a hand and a keyboard need, over the map. */
export function DrawTools({ drawing }: { drawing: Drawing }) {
  const state = useStore(drawing.state);
  const isPhone = useIsPhone();
  const isCoarse = useMedia('(pointer: coarse)');
  // Fingers need the map more than the list.
  const [isListed, setListed] = useState(!isPhone && !isCoarse);
  const { draft, live, problem } = state;
  const isPolygonal = drawing.kind !== 'circle';
  const toolbar = useToolbar();
  return (
    <section className={styles.panel} aria-label="Drawing" data-over-map>
      <div {...toolbar} role="toolbar" className={styles.tools} aria-label="Drawing">
        <Step label="Undo" shortcut="Ctrl+Z" isIdle={!state.canUndo} onPress={() => drawing.undo()}>
          <Undo2 />
        </Step>
        <Step label="Redo" shortcut="Ctrl+Shift+Z" isIdle={!state.canRedo} onPress={() => drawing.redo()}>
          <Redo2 />
        </Step>
        {isPolygonal && (
          <Step
            label="Delete point"
            shortcut="Delete"
            isIdle={state.selected === null}
            onPress={() => drawing.removeAndStay()}
          >
            <Trash2 />
          </Step>
        )}
        {isPolygonal && (
          <Button
            variant={drawing.canFinish ? 'primary' : 'ghost'}
            size="small"
            icon={<Check />}
            className={cx(styles.finish, !drawing.canFinish && styles.idle)}
            onPress={() => drawing.finish()}
          >
            Finish
          </Button>
        )}
        <IconToggle
          variant="ghost"
          label={isPolygonal ? 'Points' : 'Center and radius'}
          isSelected={isListed}
          onChange={setListed}
          className={styles.last ?? ''}
        >
          <List />
        </IconToggle>
      </div>
      <p className={styles.words}>{draft.isClosed ? drawing.sum(live ?? draft) : <Hint drawing={drawing} />}</p>
      {problem && <p className={cx(styles.words, styles.problem)}>{problem}</p>}
      {isListed && (isPolygonal ? <Points drawing={drawing} /> : <CircleFields drawing={drawing} />)}
    </section>
  );
}

interface StepProps {
  label: string;
  shortcut: string;
  /** There is nothing for it to do. It stays where the focus is. */
  isIdle: boolean;
  onPress: () => void;
  children: ReactNode;
}

function Step({ label, shortcut, isIdle, onPress, children }: StepProps) {
  return (
    <IconButton
      variant="ghost"
      label={label}
      shortcut={shortcut}
      className={cx(isIdle && styles.idle)}
      onPress={onPress}
    >
      {children}
    </IconButton>
  );
}

/** What comes next while the shape is open. */
function Hint({ drawing }: { drawing: Drawing }) {
  const isCoarse = useMedia('(pointer: coarse)');
  const press = isCoarse ? 'Tap' : 'Click';
  const { points } = drawing.state.get().draft;
  const count = points.length;
  if (drawing.kind === 'circle') return count === 0 ? `${press} the center.` : `${press} the edge of the circle.`;
  if (count === 0) return `${press} the map to set the first point.`;
  const sum = drawing.sum();
  if (!drawing.canFinish) return `${sum} ${press} to add points.`;
  const end = drawing.kind === 'polygon' ? 'the first point' : 'the last point again';
  return `${sum} ${press} ${end}${isCoarse ? ', or Finish' : ' or press Enter to finish'}.`;
}
