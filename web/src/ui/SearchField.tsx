import { Search, X } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { cx } from '~/lib/cx';
import styles from './Field.module.css';

export interface SearchFieldProps {
  /** The accessible name; also the placeholder when none is given. */
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  /** The key that jumps here, shown while the field is empty. */
  shortcut?: string | undefined;
  onSubmit?: (value: string) => void;
  /** The arrow down: on to what was found. */
  onDown?: () => void;
  autoFocus?: boolean;
  className?: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** A search box with a clear button; Esc clears it first and only then leaves to the page. */
export function SearchField({
  label,
  placeholder = label,
  shortcut,
  className,
  inputRef,
  autoFocus,
  onDown,
  ...rest
}: SearchFieldProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && rest.value === '') event.currentTarget.blur();
    if (event.key !== 'ArrowDown' || !onDown) return;
    event.preventDefault();
    onDown();
  };
  return (
    <AriaSearchField {...rest} aria-label={label} {...(autoFocus ? { autoFocus } : {})} className={className ?? ''}>
      <Group className={cx(styles.box, styles.search)}>
        <Search className={styles.glyph} size={16} strokeWidth={1.75} aria-hidden="true" />
        <Input
          className={styles.input ?? ''}
          placeholder={placeholder}
          onKeyDown={onKeyDown}
          {...(inputRef ? { ref: inputRef } : {})}
        />
        {rest.value !== '' ? (
          <Button className={styles.inside ?? ''} aria-label="Clear search">
            <X size={16} strokeWidth={1.75} aria-hidden="true" />
          </Button>
        ) : (
          shortcut && <kbd>{shortcut}</kbd>
        )}
      </Group>
    </AriaSearchField>
  );
}
