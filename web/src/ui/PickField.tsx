import { ChevronDown, X } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { cx } from '~/lib/cx';
import field from './Field.module.css';
import overlay from './Overlay.module.css';
import { type Option, OptionList } from './options';
import styles from './PickField.module.css';

export interface PickFieldProps {
  label: string;
  /** what is chosen, in the order in which it was */
  chosen: readonly Option[];
  onChange: (ids: readonly string[]) => void;
  /** What is offered for the text that is typed; the text is the caller's, because it knows what is found by it. */
  options: readonly Option[];
  text: string;
  onText: (text: string) => void;
  /** said when nothing is offered */
  empty: string;
  hint?: string | undefined;
  error?: string | undefined;
  placeholder?: string;
  /** stands behind the name of what is chosen */
  aside?: (id: string) => ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

/** Some of many by typing: a list opens while one types, and what was chosen stands above, each with a way to let it go. */
export function PickField(props: PickFieldProps) {
  const { label, chosen, onChange, options, text, onText, empty, hint, error, placeholder = '', inputRef } = props;
  const ids = chosen.map(option => option.id);
  const drop = (id: string) => onChange(ids.filter(one => one !== id));
  return (
    <ComboBox
      selectionMode="multiple"
      value={ids}
      onChange={keys => {
        onChange(keys.map(String));
        onText(''); // the next one is looked for from the beginning; without it Escape leaves the list open
      }}
      inputValue={text}
      onInputChange={onText}
      allowsEmptyCollection
      items={options}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={field.field ?? ''}
    >
      <Label className={field.label ?? ''}>{label}</Label>
      {chosen.length > 0 && (
        <ul className={styles.chosen} aria-label={`Chosen: ${label}`}>
          {chosen.map(option => (
            <li key={option.id}>
              {option.icon}
              <span className={styles.name} title={option.label}>
                {option.label}
              </span>
              {props.aside?.(option.id)}
              <Button
                slot={null}
                className={field.inside ?? ''}
                aria-label={`Remove ${option.label}`}
                onPress={() => drop(option.id)}
              >
                <X size={16} strokeWidth={1.75} aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {/* Above the box: below it the list would cover it, which stays open while more is chosen. */}
      <FieldError className={cx(field.error, styles.error)}>{error}</FieldError>
      <Group className={field.box ?? ''} isInvalid={error !== undefined}>
        <Input
          className={field.input ?? ''}
          placeholder={placeholder}
          onKeyDown={event => {
            const last = ids.at(-1);
            if (event.key === 'Backspace' && text === '' && last !== undefined) drop(last);
          }}
          {...(inputRef ? { ref: inputRef } : {})}
        />
        <Button className={field.inside ?? ''}>
          <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </Group>
      {hint && (
        <Text slot="description" className={field.hint ?? ''}>
          {hint}
        </Text>
      )}
      <Popover className={overlay.popover ?? ''} offset={6}>
        <OptionList options={options} chosen={null} empty={empty} />
      </Popover>
    </ComboBox>
  );
}
