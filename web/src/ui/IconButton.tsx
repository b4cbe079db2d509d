import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { type ButtonProps, buttonClass } from './Button';
import { Tooltip } from './Tooltip';

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  /** The name for screen readers, shown as tooltip as well. */
  label: string;
  children: ReactNode;
  /** A key that does the same, shown in the tooltip. */
  shortcut?: string;
  /** Draws the button as switched on without making it a toggle. */
  on?: boolean;
}

/** A button that shows an icon alone; its label is its accessible name and its tooltip. */
export function IconButton({
  label,
  children,
  shortcut,
  on,
  variant,
  size,
  float,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={buttonClass({ variant, size, float, on, icon: true, className })}
      >
        {children}
      </AriaButton>
    </Tooltip>
  );
}

export interface IconToggleProps {
  label: string;
  children: ReactNode;
  isSelected: boolean;
  onChange: (on: boolean) => void;
  isDisabled?: boolean;
  /** Another way there is by keys: Tab goes past it. */
  excludeFromTabOrder?: boolean;
  shortcut?: string;
  variant?: ButtonProps['variant'];
  size?: ButtonProps['size'];
  float?: boolean;
  className?: string;
}

/** An icon that is on or off (aria-pressed). */
export function IconToggle({ label, children, shortcut, variant, size, float, className, ...rest }: IconToggleProps) {
  const look = buttonClass({ variant, size, float, icon: true, on: rest.isSelected, className });
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <ToggleButton {...rest} aria-label={label} className={look}>
        {children}
      </ToggleButton>
    </Tooltip>
  );
}
