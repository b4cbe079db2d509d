import { useState } from 'react';
import { useMedia } from '~/lib/media';
import { EVERY_MAP_VIEW, preferences, setPreference, usePreference } from '~/session';
import { Button, Checkbox, Dialog } from '~/ui';
import styles from './screen.module.css';

export interface InstructionsProps {
  /** the map view, such as "area": what is not wanted again is saved by it */
  view: string;
  title: string;
  /** what to do on the map, in order */
  steps: readonly string[];
  /** the same for fingers, where it differs */
  touchSteps?: readonly string[];
}

/** What all drawing by fingers has in common. */
export const TOUCH_STEPS = [
  'Drag a point to move it. Drag the small mark between two points to add one. To remove one, tap it and then the trash button.',
  'Move and zoom the map with two fingers.',
  'The arrows undo and redo your steps.',
] as const;

/**
 * How to use a map view: the steps open by themselves when it is first shown, until they are not wanted again, and the
 * link that stands in its place opens them at any time.
 */
export function Instructions({ view, title, steps, touchSteps = steps }: InstructionsProps) {
  const isTouched = useMedia('(pointer: coarse)');
  const isHidden = usePreference('hiddenMapInstructions').some(one => one === view || one === EVERY_MAP_VIEW);
  const [isOpen, setOpen] = useState(!isHidden);
  return (
    <>
      <Button variant="ghost" size="small" className={styles.instructions} onPress={() => setOpen(true)}>
        View Instructions
      </Button>
      {isOpen && (
        <Steps
          title={title}
          steps={isTouched ? touchSteps : steps}
          view={view}
          isHidden={isHidden}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface StepsProps extends InstructionsProps {
  isHidden: boolean;
  onClose: () => void;
}

function Steps({ view, title, steps, isHidden, onClose }: StepsProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={open => !open && onClose()}
      title={title}
      actions={
        <Button variant="primary" onPress={onClose}>
          OK
        </Button>
      }
    >
      <ol className={styles.steps}>
        {steps.map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Checkbox isSelected={isHidden} onChange={on => hide(view, on)}>
        Don't show again
      </Checkbox>
    </Dialog>
  );
}

/** Of this view alone: to want one again does not want the others. */
function hide(view: string, on: boolean): void {
  const others = preferences.get().hiddenMapInstructions.filter(one => one !== view && one !== EVERY_MAP_VIEW);
  setPreference('hiddenMapInstructions', on ? [...others, view] : others);
}
