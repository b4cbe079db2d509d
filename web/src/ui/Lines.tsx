import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { type Control, Controller, type FieldPath, type FieldValues } from 'react-hook-form';
import { errorOf } from './errorOf';
import { InsideButton } from './InsideButton';
import styles from './Office.module.css';
import type { Option } from './options';
import { Select } from './Select';
import { Switch } from './Switch';
import { TextField } from './TextField';

interface LineOf<Form extends FieldValues> {
  control: Control<Form>;
  name: FieldPath<Form>;
  label: string;
}

export interface TextLineProps<Form extends FieldValues> extends LineOf<Form> {
  isRequired?: boolean;
  isReadOnly?: boolean;
  hint?: string;
  type?: 'text' | 'email' | 'tel';
  autoComplete?: string;
  autoFocus?: boolean;
}

/** A line of text bound to a form's field. */
export function TextLine<Form extends FieldValues>({ control, name, label, ...rest }: TextLineProps<Form>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState, formState }) => (
        <TextField
          {...rest}
          label={label}
          name={field.name}
          value={String(field.value ?? '')}
          onChange={field.onChange}
          onBlur={field.onBlur}
          inputRef={field.ref}
          error={errorOf(fieldState, formState)}
        />
      )}
    />
  );
}

export interface PasswordLineProps<Form extends FieldValues> extends LineOf<Form> {
  autoComplete: 'current-password' | 'new-password';
  autoFocus?: boolean;
}

/** A password with a toggle that shows it, bound to a form's field. */
export function PasswordLine<Form extends FieldValues>({ control, name, label, ...rest }: PasswordLineProps<Form>) {
  const [shown, setShown] = useState(false);
  const word = `${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`;
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState, formState }) => (
        <TextField
          {...rest}
          label={label}
          name={field.name}
          type={shown ? 'text' : 'password'}
          value={String(field.value ?? '')}
          onChange={field.onChange}
          onBlur={field.onBlur}
          inputRef={field.ref}
          error={errorOf(fieldState, formState)}
          after={
            <InsideButton label={word} pressed={shown} onPress={() => setShown(now => !now)}>
              {shown ? <EyeOff size={16} strokeWidth={1.75} /> : <Eye size={16} strokeWidth={1.75} />}
            </InsideButton>
          }
        />
      )}
    />
  );
}

export interface SelectLineProps<Form extends FieldValues> extends LineOf<Form> {
  options: readonly Option[];
  placeholder?: string;
  isDisabled?: boolean;
  /** Told after the field has taken a new choice. */
  onChosen?: (id: string) => void;
}

/** One of many bound to a form's field; ids are texts. */
export function SelectLine<Form extends FieldValues>(props: SelectLineProps<Form>) {
  const { control, name, label, options, placeholder, isDisabled, onChosen } = props;
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState, formState }) => (
        <Select
          label={label}
          options={options}
          value={field.value ? String(field.value) : null}
          {...(placeholder ? { placeholder } : {})}
          isDisabled={isDisabled ?? false}
          onChange={id => {
            if (id === field.value) return;
            field.onChange(id);
            onChosen?.(id);
          }}
          onBlur={field.onBlur}
          error={errorOf(fieldState, formState)}
        />
      )}
    />
  );
}

export interface SwitchLineProps<Form extends FieldValues> extends LineOf<Form> {
  /** What switching it means, in words. */
  hint?: string;
  isDisabled?: boolean;
}

/** On or off bound to a form's field, with its consequence under it. */
export function SwitchLine<Form extends FieldValues>({
  control,
  name,
  label,
  hint,
  isDisabled,
}: SwitchLineProps<Form>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <ToggleRow
          label={label}
          isSelected={Boolean(field.value)}
          onChange={field.onChange}
          {...(hint ? { hint } : {})}
          isDisabled={isDisabled ?? false}
        />
      )}
    />
  );
}

export interface ToggleRowProps {
  label: string;
  hint?: string;
  isSelected: boolean;
  onChange: (on: boolean) => void;
  isDisabled?: boolean;
}

/** A switch at the end of its line, with what it means under it. */
export function ToggleRow({ label, hint, ...rest }: ToggleRowProps) {
  return (
    <div className={styles.toggle}>
      <Switch atEnd {...rest}>
        {label}
      </Switch>
      {hint && <p className={styles.toggleHint}>{hint}</p>}
    </div>
  );
}
