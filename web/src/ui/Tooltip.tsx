import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import styles from './Tooltip.module.css';

interface TooltipProps {
  text: string;
  shortcut?: string | undefined;
  placement?: 'top' | 'bottom' | 'left' | 'right';
  /** For who shows it by a press as well. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  /** One focusable React Aria element (or a `Focusable`). */
  children: ReactElement;
}

/** A short text beside a control, on hover and on keyboard focus. It repeats or explains; it never holds what is needed. */
export function Tooltip({ text, shortcut, placement = 'bottom', children, ...open }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={80} {...open}>
      {children}
      <AriaTooltip className={styles.tooltip ?? ''} placement={placement} offset={6}>
        {text}
        {shortcut && <kbd>{shortcut}</kbd>}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
