import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { type Control, Controller, type FieldValues, type Path } from 'react-hook-form';
import { errorOf } from '~/ui/errorOf';
import { InsideButton } from '~/ui/InsideButton';
import { TextField } from '~/ui/TextField';

interface FieldProps<F extends FieldValues> {
  control: Control<F>;
  name: Path<F>;
  /** It has the focus when its screen opens. */
  isFirst?: boolean;
}

/** The address that an account is known by. */
export function EmailField<F extends FieldValues>({ control, name, isFirst = false }: FieldProps<F>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, disabled: _, ...field }, fieldState, formState }) => (
        <TextField
          {...field}
          inputRef={ref}
          autoFocus={isFirst}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          size="large"
          error={errorOf(fieldState, formState)}
        />
      )}
    />
  );
}

interface PasswordFieldProps<F extends FieldValues> extends FieldProps<F> {
  label: string;
  autoComplete: 'current-password' | 'new-password';
}

/** A password with a toggle that shows it. */
export function PasswordField<F extends FieldValues>(props: PasswordFieldProps<F>) {
  const { control, name, label, autoComplete, isFirst = false } = props;
  const [shown, setShown] = useState(false);
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, disabled: _, ...field }, fieldState, formState }) => (
        <TextField
          {...field}
          inputRef={ref}
          autoFocus={isFirst}
          label={label}
          type={shown ? 'text' : 'password'}
          autoComplete={autoComplete}
          size="large"
          error={errorOf(fieldState, formState)}
          after={
            <InsideButton
              label={shown ? `Hide ${label.toLowerCase()}` : `Show ${label.toLowerCase()}`}
              pressed={shown}
              onPress={() => setShown(now => !now)}
            >
              {shown ? <EyeOff size={16} strokeWidth={1.75} /> : <Eye size={16} strokeWidth={1.75} />}
            </InsideButton>
          }
        />
      )}
    />
  );
}
