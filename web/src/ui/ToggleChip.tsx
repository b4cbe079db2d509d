import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { buttonClass } from './Button';

export interface ToggleChipProps {
  children: ReactNode;
  /** Stands before the label. */
  icon?: ReactNode;
  isSelected: boolean;
  onChange: (on: boolean) => void;
  className?: string | undefined;
}

/** A small button with a label that is on or off. */
export function ToggleChip({ children, icon, isSelected, onChange, className }: ToggleChipProps) {
  return (
    <ToggleButton
      isSelected={isSelected}
      onChange={onChange}
      className={buttonClass({ size: 'small', on: isSelected, className })}
    >
      {icon}
      {children}
    </ToggleButton>
  );
}
