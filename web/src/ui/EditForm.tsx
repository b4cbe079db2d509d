import type { ReactNode } from 'react';
import { Button } from './Button';
import { Conflict, type ConflictProps } from './Conflict';
import { ErrorNotice } from './ErrorNotice';
import { LeaveGuard } from './LeaveGuard';
import { FormFoot } from './Office';
import type { Saving } from './useSaving';

export interface EditFormProps<Row> {
  /** What the form is for, to screen readers: "Edit user". */
  label: string;
  saving: Saving<Row>;
  /** The way out without saving. */
  cancel: ReactNode;
  submit?: string;
  /** The fields that differ from what somebody else has saved; a form that makes something new has none. */
  rows?: (theirs: Row) => ConflictProps['rows'];
  children: ReactNode;
}

/** The frame of an edit: its fields, what went wrong under them, leaving with a question, and the conflict's choice. */
export function EditForm<Row>({ label, saving, cancel, submit = 'Save', rows, children }: EditFormProps<Row>) {
  const { conflict } = saving;
  return (
    <form onSubmit={saving.submit} noValidate aria-label={label}>
      <LeaveGuard isDirty={saving.isUnsaved} />
      {children}
      <FormFoot alert={saving.failure && <ErrorNotice>{saving.failure}</ErrorNotice>}>
        {cancel}
        <Button variant="primary" type="submit" isPending={saving.isPending}>
          {submit}
        </Button>
      </FormFoot>
      {conflict && rows && (
        <Conflict rows={rows(conflict.theirs)} onKeepMine={saving.keepMine} onTakeTheirs={saving.takeTheirs}>
          {conflict.text}
        </Conflict>
      )}
    </form>
  );
}
