import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { cx } from '~/lib/cx';
import styles from './Segmented.module.css';

export interface SegmentedProps<K extends string> {
  label: string;
  value: K;
  onChange: (value: K) => void;
  options: readonly { id: K; label: ReactNode }[];
  float?: boolean;
  className?: string;
}

/** One of two to four, side by side. */
export function Segmented<K extends string>({ label, value, onChange, options, float, className }: SegmentedProps<K>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={keys => {
        const [chosen] = keys;
        if (chosen !== undefined) onChange(chosen as K);
      }}
      className={cx(styles.group, float && styles.float, className)}
    >
      {options.map(option => (
        <ToggleButton key={option.id} id={option.id} className={styles.option ?? ''}>
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
