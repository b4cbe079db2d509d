import { Eye, EyeOff } from 'lucide-react';
import { createContext, useContext, useEffect, useLayoutEffect, useState } from 'react';
import { type Control, type FieldPath, type FieldPathValue, type FieldValues, useController } from 'react-hook-form';
import { cx } from '~/lib/cx';
import { errorOf } from './errorOf';
import fieldStyles from './Field.module.css';
import { InsideButton } from './InsideButton';
import { FormRow } from './Office';
import styles from './Office.module.css';
import type { Option } from './options';
import { Segmented } from './Segmented';
import { Select } from './Select';
import { Switch } from './Switch';
import { TextField } from './TextField';

/** What a form's line is called and how it says a value: for who compares two drafts. */
export interface LineWords {
  label: string;
  textOf: (value: unknown) => string;
}

/** The lines of the form around, by field, as far as they are drawn. */
export const LinesContext = createContext<Map<string, LineWords> | undefined>(undefined);

const plain = (value: unknown) => String(value ?? '');

/** Tells the form around what a field is called there. */
export function useWords(name: string, label: string, textOf: (value: unknown) => string = plain): void {
  const lines = useContext(LinesContext);
  useEffect(() => void lines?.set(name, { label, textOf }));
}

/** Something beside its fields that keeps a form from being saved: it takes the focus, and answers whether it does. */
export type Holdup = () => boolean;

/** Those of the form around. */
export const HoldupsContext = createContext<Set<Holdup> | undefined>(undefined);

/** Asks this before the form around is saved. */
export function useHoldup(holdup: Holdup): void {
  const holdups = useContext(HoldupsContext);
  // With what it is about: a save may come at once.
  useLayoutEffect(() => {
    holdups?.add(holdup);
    return () => void holdups?.delete(holdup);
  });
}

interface LineOf<Form extends FieldValues> {
  control: Control<Form>;
  name: FieldPath<Form>;
  label: string;
}

/** A field with its error, when that is due; the form around learns what it is called. */
function useLine<Form extends FieldValues>(line: LineOf<Form>, textOf?: (value: unknown) => string) {
  const { field, fieldState, formState } = useController({ control: line.control, name: line.name });
  useWords(line.name, line.label, textOf);
  const change = (value: unknown) => field.onChange(value as FieldPathValue<Form, FieldPath<Form>>);
  return { ...field, change, error: errorOf(fieldState, formState) };
}

/** What a line of text may say beside its label. */
interface TextManner {
  isRequired?: boolean;
  isReadOnly?: boolean;
  hint?: string;
  type?: 'text' | 'email' | 'tel' | 'date' | 'time';
  autoComplete?: string;
  autoFocus?: boolean;
  isMono?: boolean;
  /** More than one line: how many are in sight. */
  rows?: number;
  /** The most characters: how many are left shows once it gets close. */
  max?: number;
}

export interface FormTextFieldProps<Form extends FieldValues> extends LineOf<Form>, TextManner {}

/** A line of text bound to a form's field. */
export function FormTextField<Form extends FieldValues>(props: FormTextFieldProps<Form>) {
  const { control, name, label, max, isMono, ...rest } = props;
  const field = useLine({ control, name, label });
  const text = String(field.value ?? '');
  return (
    <TextField
      {...rest}
      label={label}
      name={field.name}
      value={text}
      onChange={field.change}
      onBlur={field.onBlur}
      inputRef={field.ref}
      error={field.error}
      className={isMono ? (fieldStyles.mono ?? '') : ''}
      after={max !== undefined && <Counter text={text} max={max} />}
    />
  );
}

/** How many characters may still be typed; the counter warns within 5 of the limit (requirements 5.counter). */
export function remaining(text: string, max: number): { left: number; warns: boolean } {
  const left = max - [...text].length;
  return { left, warns: left <= 5 };
}

function Counter({ text, max }: { text: string; max: number }) {
  const { left, warns } = remaining(text, max);
  if (left > max / 2) return null;
  return (
    <span
      className={cx(fieldStyles.counter, warns && fieldStyles.counterWarns, 'num')}
      aria-live={warns ? 'polite' : 'off'}
    >
      {left}
      <span className="visually-hidden"> characters left</span>
    </span>
  );
}

/** Lines of text by field: what each is called, and its rule (for the form's schema). */
export type LineTable = Readonly<Record<string, { label: string; rule: unknown } & TextManner>>;

export interface TextLinesProps<Form extends FieldValues> {
  control: Control<Form>;
  lines: LineTable;
  /** Where the first one takes the focus. */
  autoFocus?: boolean;
  /** Where there is no room for two in a row. */
  single?: boolean;
}

/** The lines of a table, two in a row. */
export function TextLines<Form extends FieldValues>({ control, lines, autoFocus, single }: TextLinesProps<Form>) {
  const all = Object.entries(lines).map(([name, { rule: _, ...line }], index) => (
    <FormTextField
      key={name}
      control={control}
      name={name as FieldPath<Form>}
      {...line}
      autoFocus={!!autoFocus && !index}
    />
  ));
  if (single) return all;
  const pairs = all.filter((_, index) => index % 2 === 0).map((line, row) => [line, all[2 * row + 1]] as const);
  return pairs.map(([line, next]) => (next ? <FormRow key={line.key}>{[line, next]}</FormRow> : line));
}

/** What stands in a table's lines, for `Facts`. */
export const factsOf = <T extends LineTable>(lines: T, row: Readonly<Record<keyof T, string>>) =>
  Object.entries<LineTable[string]>(lines).map(([name, { label }]) => [label, String(row[name])] as const);

export interface PasswordLineProps<Form extends FieldValues> extends LineOf<Form> {
  autoComplete: 'current-password' | 'new-password';
  autoFocus?: boolean;
}

/** A password with a toggle that shows it, bound to a form's field. */
export function PasswordLine<Form extends FieldValues>({ control, name, label, ...rest }: PasswordLineProps<Form>) {
  const [shown, setShown] = useState(false);
  const field = useLine({ control, name, label });
  const word = `${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`;
  return (
    <TextField
      {...rest}
      label={label}
      name={field.name}
      type={shown ? 'text' : 'password'}
      value={String(field.value ?? '')}
      onChange={field.change}
      onBlur={field.onBlur}
      inputRef={field.ref}
      error={field.error}
      after={
        <InsideButton label={word} pressed={shown} onPress={() => setShown(now => !now)}>
          {shown ? <EyeOff size={16} strokeWidth={1.75} /> : <Eye size={16} strokeWidth={1.75} />}
        </InsideButton>
      }
    />
  );
}

export interface SelectLineProps<Form extends FieldValues> extends LineOf<Form> {
  options: readonly Option[];
  placeholder?: string;
  hideLabel?: boolean;
  isDisabled?: boolean;
  /** The choice of nothing, where that is one: the field is then ''. */
  none?: string;
  /** Told after the field has taken a new choice. */
  onChosen?: (id: string) => void;
}

const NONE = 'none';

/** One of many bound to a form's field: a text, or a number where the field holds one. */
export function SelectLine<Form extends FieldValues>(props: SelectLineProps<Form>) {
  const { control, name, label, options, placeholder, hideLabel, isDisabled, none, onChosen } = props;
  const all = none === undefined ? options : [{ id: NONE, label: none }, ...options];
  const textOf = (value: unknown) => all.find(one => one.id === String(value || NONE))?.label ?? plain(value);
  const field = useLine({ control, name, label }, textOf);
  const isNumber = typeof field.value === 'number';
  const present = isNumber || field.value ? String(field.value) : '';
  return (
    <Select
      label={label}
      hideLabel={hideLabel ?? false}
      options={all}
      value={present || (none === undefined ? null : NONE)}
      {...(placeholder ? { placeholder } : {})}
      isDisabled={isDisabled ?? false}
      onChange={chosen => {
        const id = none !== undefined && chosen === NONE ? '' : chosen;
        if (id === present) return;
        field.change(isNumber ? Number(id) : id);
        onChosen?.(id);
      }}
      onBlur={field.onBlur}
      buttonRef={field.ref}
      error={field.error}
    />
  );
}

export interface SegmentedLineProps<Form extends FieldValues> extends LineOf<Form> {
  options: readonly { id: string; label: string }[];
}

/** One of two to four, side by side, bound to a form's field. */
export function SegmentedLine<Form extends FieldValues>({ control, name, label, options }: SegmentedLineProps<Form>) {
  const field = useLine({ control, name, label }, value => options.find(one => one.id === value)?.label ?? '');
  return (
    <div className={styles.choice}>
      <Segmented label={label} value={String(field.value)} onChange={field.change} options={options} />
    </div>
  );
}

const onOff = (value: unknown) => (value ? 'On' : 'Off');

export interface SwitchLineProps<Form extends FieldValues> extends LineOf<Form> {
  /** What switching it means, in words. */
  hint?: string;
  isDisabled?: boolean;
}

/** On or off bound to a form's field, with its consequence under it. */
export function SwitchLine<Form extends FieldValues>({ control, name, label, ...rest }: SwitchLineProps<Form>) {
  const field = useLine({ control, name, label }, onOff);
  return <ToggleRow {...rest} label={label} isSelected={Boolean(field.value)} onChange={field.change} />;
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
