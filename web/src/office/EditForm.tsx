import { type FormEvent, type ReactNode, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import {
  Button,
  Conflict,
  ErrorNotice,
  FormFoot,
  type Holdup,
  HoldupsContext,
  LeaveGuard,
  LinesContext,
  type LineWords,
} from '~/ui';
import type { Draft } from './draft';
import { NewsNotice } from './NewsNotice';

/** The look of a form whose buttons stay in sight below what scrolls (in a drawer). */
export interface FormLook {
  form: string;
  body: string;
  foot: string;
  alert: string;
  conflict: string;
}

export interface EditFormProps<Form extends FieldValues> {
  /** What the form is for, to screen readers: "Edit user". */
  label: string;
  draft: Draft<Form>;
  /** The way out without saving: a link, or what Cancel does. */
  cancel?: ReactNode | (() => void);
  submit?: string;
  look?: Partial<FormLook>;
  children: ReactNode;
}

/** The frame of an edit: its fields, what went wrong under them, leaving with a question, and the conflict's choice. */
export function EditForm<Form extends FieldValues>(props: EditFormProps<Form>) {
  const { label, draft, cancel, submit = 'Save', look = {}, children } = props;
  const { conflict, failure, news } = draft;
  const [lines] = useState(() => new Map<string, LineWords>());
  const [holdups] = useState(() => new Set<Holdup>());
  const isHeld = () => [...holdups].some(holdup => holdup());
  const send = (event: FormEvent) => (isHeld() ? event.preventDefault() : void draft.submit(event));
  const alert = failure && <ErrorNotice className={look.alert ?? ''}>{failure}</ErrorNotice>;
  const buttons = (
    <>
      {typeof cancel === 'function' ? <Button onPress={cancel}>Cancel</Button> : cancel}
      <Button variant="primary" type="submit" isPending={draft.isPending}>
        {submit}
      </Button>
    </>
  );
  return (
    <form className={look.form} onSubmit={send} noValidate aria-label={label}>
      <LeaveGuard isDirty={draft.isUnsaved} />
      <HoldupsContext value={holdups}>
        <LinesContext value={lines}>{look.body ? <div className={look.body}>{children}</div> : children}</LinesContext>
      </HoldupsContext>
      {look.foot ? <div className={look.foot}>{buttons}</div> : <FormFoot alert={alert}>{buttons}</FormFoot>}
      {conflict && (
        <Conflict
          rows={differences(draft.form.getValues(), conflict, lines)}
          onKeepMine={() => isHeld() || draft.keepMine()}
          onTakeTheirs={draft.takeTheirs}
          className={look.conflict ?? ''}
        >
          {conflict.text}
        </Conflict>
      )}
      {news && <NewsNotice news={news} className={look.conflict ?? ''} />}
      {look.foot && alert}
    </form>
  );
}

/** The drawn lines of what two drafts disagree about, as they are called there. */
export function differences(
  mine: FieldValues,
  { theirs, clashes }: { theirs: FieldValues; clashes: readonly string[] },
  lines: ReadonlyMap<string, LineWords>,
) {
  const drawn = [...lines].filter(([name]) => clashes.includes(name));
  const other = drawn.filter(([name]) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]));
  return (other.length > 0 ? other : drawn).map(([name, { label, textOf }]) => ({
    label,
    mine: textOf(mine[name]),
    theirs: textOf(theirs[name]),
  }));
}
