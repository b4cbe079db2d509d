import { type ReactNode, useId, useState } from 'react';
import { Button } from './Button';
import styles from './Button.module.css';
import { Tooltip } from './Tooltip';

interface RefusedButtonProps {
  /** Why it can't be pressed now. */
  reason: string;
  children: ReactNode;
}

/**
 * A button that can't be pressed now and says why: to the pointer, to the keyboard (it keeps the focus), to a finger that
 * presses it, and to a screen reader. One that is disabled outright tells nobody.
 */
export function RefusedButton({ reason, children }: RefusedButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Tooltip text={reason} isOpen={isOpen} onOpenChange={setIsOpen}>
        <Button aria-disabled="true" aria-describedby={id} className={styles.refused} onPress={() => setIsOpen(true)}>
          {children}
        </Button>
      </Tooltip>
      <span id={id} hidden>
        {reason}
      </span>
    </>
  );
}
