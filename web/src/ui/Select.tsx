import { ChevronDown } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { cx } from '~/lib/cx';
import { buttonClass } from './Button';
import fieldStyles from './Field.module.css';
import styles from './Overlay.module.css';
import { type Option, OptionList } from './options';

export interface SelectProps {
  label: string;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean;
  options: readonly Option[];
  value: string | null;
  onChange: (id: string) => void;
  placeholder?: string;
  error?: string | undefined;
  isDisabled?: boolean;
  /** The look: a form's field, or a button that floats over the map. */
  look?: 'field' | 'float';
  className?: string;
  onBlur?: () => void;
  buttonRef?: Ref<HTMLButtonElement>;
}

/** One of many by a list that opens; typing jumps. */
export function Select(props: SelectProps) {
  const {
    label,
    hideLabel,
    options,
    value,
    onChange,
    placeholder,
    error,
    look = 'field',
    className,
    buttonRef,
    ...rest
  } = props;
  const button = look === 'field' ? buttonClass({ className: styles.trigger }) : buttonClass({ float: true });
  return (
    <AriaSelect
      {...rest}
      value={value}
      onChange={key => key !== null && onChange(String(key))}
      placeholder={placeholder ?? ''}
      isInvalid={error !== undefined}
      allowsEmptyCollection // it then says so
      validationBehavior="aria"
      className={cx(look === 'field' && fieldStyles.field, className)}
    >
      <Label className={hideLabel ? 'visually-hidden' : (fieldStyles.label ?? '')}>{label}</Label>
      <Button className={button} {...(buttonRef ? { ref: buttonRef } : {})}>
        <SelectValue className={styles.triggerText ?? ''}>
          {({ selectedText, defaultChildren }) => selectedText || defaultChildren}
        </SelectValue>
        <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
      </Button>
      <FieldError className={fieldStyles.error ?? ''}>{error}</FieldError>
      <Popover className={styles.popover ?? ''} offset={6}>
        <OptionList options={options} chosen={value} empty="No Options" />
      </Popover>
    </AriaSelect>
  );
}
