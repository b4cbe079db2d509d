import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import styles from './Tooltip.module.css';

interface TooltipProps {
  text: string;
  shortcut?: string | undefined;
  placement?: 'top' | 'bottom' | 'left' | 'right';
  /** One focusable React Aria element (or a `Focusable`). */
  children: ReactElement;
}

/** A short text beside a control, on hover and on keyboard focus. It repeats or explains; it never holds what is needed. */
export function Tooltip({ text, shortcut, placement = 'bottom', children }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      {children}
      <AriaTooltip className={styles.tooltip ?? ''} placement={placement} offset={6}>
        {text}
        {shortcut && <kbd>{shortcut}</kbd>}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
