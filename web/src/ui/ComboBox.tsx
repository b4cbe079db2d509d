import { ChevronDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useFilter } from 'react-aria/useFilter';
import { Button } from 'react-aria-components/Button';
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Popover } from 'react-aria-components/Popover';
import { cx } from '~/lib/cx';
import fieldStyles from './Field.module.css';
import styles from './Overlay.module.css';
import { type Option, OptionList } from './options';

export interface ComboBoxProps {
  label: string;
  hideLabel?: boolean;
  options: readonly Option[];
  value: string | null;
  onChange: (id: string | null) => void;
  placeholder?: string;
  error?: string | undefined;
  isDisabled?: boolean;
  className?: string;
  onBlur?: () => void;
}

/** One of many by typing a part of its name. */
export function ComboBox(props: ComboBoxProps) {
  const { label, hideLabel, options, value, onChange, placeholder, error, className, ...rest } = props;
  const { contains } = useFilter({ sensitivity: 'base' });
  const chosen = options.find(option => option.id === value)?.label ?? '';
  const [text, setText] = useState(chosen);
  const shown = useMemo(
    () => (text === '' || text === chosen ? options : options.filter(option => contains(option.label, text))),
    [options, text, chosen, contains],
  );
  return (
    <AriaComboBox
      {...rest}
      items={shown}
      inputValue={text}
      onInputChange={setText}
      value={value}
      onChange={key => {
        onChange(key === null ? null : String(key));
        setText(options.find(option => option.id === key)?.label ?? '');
      }}
      allowsEmptyCollection
      menuTrigger="focus"
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={cx(fieldStyles.field, className)}
    >
      <Label className={hideLabel ? 'visually-hidden' : (fieldStyles.label ?? '')}>{label}</Label>
      <Group className={fieldStyles.box ?? ''}>
        <Input className={fieldStyles.input ?? ''} placeholder={placeholder ?? ''} />
        <Button className={fieldStyles.inside ?? ''}>
          <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </Group>
      <FieldError className={fieldStyles.error ?? ''}>{error}</FieldError>
      <Popover className={styles.popover ?? ''} offset={6}>
        <OptionList options={shown} empty="No Options" />
      </Popover>
    </AriaComboBox>
  );
}
