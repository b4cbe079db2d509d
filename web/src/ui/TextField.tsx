import type { ReactNode, Ref } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { cx } from '~/lib/cx';
import styles from './Field.module.css';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children' | 'isInvalid'> {
  label: string;
  /** Stands under the field while there is no error. */
  hint?: string | undefined;
  /** The error's text; present means invalid. */
  error?: string | undefined;
  placeholder?: string;
  /** Stands inside, at the end (an `InsideButton`, a unit). */
  after?: ReactNode;
  size?: 'medium' | 'large';
  /** More than one line: how many are in sight. */
  rows?: number | undefined;
  className?: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** A labeled line of text with a hint or an error under it. */
export function TextField({
  label,
  hint,
  error,
  placeholder,
  after,
  size,
  rows,
  className,
  inputRef,
  ...rest
}: TextFieldProps) {
  const inside = {
    className: styles.input ?? '',
    placeholder: placeholder ?? '',
  };
  return (
    <AriaTextField
      {...rest}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={cx(styles.field, className)}
    >
      <Label className={styles.label ?? ''}>{label}</Label>
      <Group
        className={cx(styles.box, size === 'large' && styles.large, rows !== undefined && styles.tall)}
        isInvalid={error !== undefined}
      >
        {rows === undefined ? (
          <Input {...inside} {...(inputRef ? { ref: inputRef } : {})} />
        ) : (
          <TextArea
            {...inside}
            rows={rows}
            {...(inputRef ? { ref: inputRef as unknown as Ref<HTMLTextAreaElement> } : {})}
          />
        )}
        {after}
      </Group>
      {hint && error === undefined && (
        <Text slot="description" className={styles.hint ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error ?? ''}>{error}</FieldError>
    </AriaTextField>
  );
}
