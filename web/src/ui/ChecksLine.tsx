import { useId } from 'react';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { type Control, type FieldPath, type FieldPathValue, type FieldValues, useController } from 'react-hook-form';
import { Checkbox } from './Checkbox';
import { errorOf } from './errorOf';
import styles from './Field.module.css';
import { useWords } from './Lines';

export interface ChecksLineProps<Form extends FieldValues> {
  control: Control<Form>;
  /** a list of texts */
  name: FieldPath<Form>;
  label: string;
  options: readonly { id: string; label: string; hint?: string }[];
}

/** Some of a few, each with a tick, bound to a form's field. */
export function ChecksLine<Form extends FieldValues>({ control, name, label, options }: ChecksLineProps<Form>) {
  const { field, fieldState, formState } = useController({ control, name });
  const error = errorOf(fieldState, formState);
  const hints = useId();
  const value = field.value as readonly string[];
  useWords(name, label, ids =>
    options.flatMap(one => ((ids as string[]).includes(one.id) ? one.label : [])).join(', '),
  );
  const choose = (chosen: readonly string[]) => {
    const next = options.flatMap(one => (chosen.includes(one.id) ? one.id : []));
    field.onChange(next as FieldPathValue<Form, FieldPath<Form>>);
    // A tick is a whole answer: what it leaves wrong is said at once.
    field.onBlur();
  };
  return (
    <CheckboxGroup
      value={[...value]}
      onChange={choose}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      <Label className={styles.label ?? ''}>{label}</Label>
      {options.map(({ id, label, hint }) => (
        <div key={id}>
          <Checkbox value={id} {...(hint && { 'aria-describedby': `${hints}-${id}` })}>
            {label}
          </Checkbox>
          {hint && (
            <p id={`${hints}-${id}`} className={styles.choiceHint}>
              {hint}
            </p>
          )}
        </div>
      ))}
      <FieldError className={styles.error ?? ''}>{error}</FieldError>
    </CheckboxGroup>
  );
}
