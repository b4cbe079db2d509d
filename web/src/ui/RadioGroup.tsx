import type { ReactNode } from 'react';
import { Label } from 'react-aria-components/Label';
import { RadioGroup as AriaRadioGroup, Radio } from 'react-aria-components/RadioGroup';
import styles from './Switch.module.css';

export interface RadioGroupProps<K extends string> {
  label: string;
  value: K;
  onChange: (value: K) => void;
  options: readonly { id: K; label: ReactNode }[];
  isDisabled?: boolean;
}

/** One of a few, all in sight. */
export function RadioGroup<K extends string>({ label, options, onChange, ...rest }: RadioGroupProps<K>) {
  return (
    <AriaRadioGroup {...rest} onChange={value => onChange(value as K)} className={styles.group ?? ''}>
      <Label className={styles.groupLabel ?? ''}>{label}</Label>
      {options.map(option => (
        <Radio key={option.id} value={option.id} className={styles.radio ?? ''}>
          <span className={styles.dot} />
          <span className={styles.label}>{option.label}</span>
        </Radio>
      ))}
    </AriaRadioGroup>
  );
}
