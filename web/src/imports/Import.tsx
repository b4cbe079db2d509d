import type { ReactNode } from 'react';
import { Button, Dialog, ErrorNotice, FormFoot, Spinner } from '~/ui';
import { FilePick } from './FilePick';
import { type ImportCalls, type ImportSteps, useImport } from './flow';
import styles from './imports.module.css';
import { Outcome, type UndoCall, type WayBack } from './Outcome';

/** A noun's import: its calls and its words. */
export interface ImportOf<Options, Result> extends ImportCalls<Options, Result> {
  file: { label: string; accept: string; choose: string };
  /** How the file is read. */
  fields?: (steps: ImportSteps<Options, Result>) => ReactNode;
  /** What the file would do, in one line; its name stands before it. */
  summary: (result: Result) => ReactNode;
  /** The rows, and what is wrong with some. */
  rows: (result: Result) => ReactNode;
  apply: (result: Result) => { text: string; isOff: boolean };
  /** What the file has done. */
  done: (result: Result) => ReactNode;
  undo: UndoCall;
}

/** An import in a dialog over the map. */
export function ImportDialog<Options, Result extends WayBack>({
  of,
  title,
  lead,
  onClose,
}: {
  of: ImportOf<Options, Result>;
  title: string;
  lead: ReactNode;
  onClose: () => void;
}) {
  const steps = useImport(of);
  const { done, pending } = steps;
  return (
    <Dialog
      isOpen
      wide
      mustAnswer={pending === 'apply'}
      onOpenChange={open => !open && onClose()}
      title={title}
      actions={
        <>
          <Button onPress={onClose} isDisabled={pending === 'apply'}>
            {done ? 'Close' : 'Cancel'}
          </Button>
          <Apply of={of} steps={steps} />
        </>
      }
    >
      <div className={styles.dialog}>
        {!done && <p className={styles.lead}>{lead}</p>}
        <Steps of={of} steps={steps} />
        {done && <Outcome result={done} undo={of.undo} done={of.done(done)} />}
      </div>
    </Dialog>
  );
}

/** An import on a page; `ways` lead on from its end. */
export function ImportSection<Options, Result extends WayBack>({
  of,
  more,
  ways,
}: {
  of: ImportOf<Options, Result>;
  /** What helps with the file. */
  more?: ReactNode;
  ways: ReactNode;
}) {
  const steps = useImport(of);
  const { done, preview } = steps;
  if (done)
    return (
      <Outcome result={done} undo={of.undo} done={of.done(done)} isCard>
        {ways}
        <Button onPress={steps.again}>Import another file</Button>
      </Outcome>
    );
  return (
    <div className={styles.page}>
      <Steps of={of} steps={steps} more={more} />
      {preview && (
        <FormFoot>
          <Apply of={of} steps={steps} />
        </FormFoot>
      )}
    </div>
  );
}

interface StepsProps<Options, Result> {
  of: ImportOf<Options, Result>;
  steps: ImportSteps<Options, Result>;
  more?: ReactNode;
}

function Steps<Options, Result>({ of, steps, more }: StepsProps<Options, Result>) {
  const { file, preview, seen, done, failure, pending } = steps;
  return (
    <>
      {!done && (
        <div className={styles.pick}>
          <FilePick
            {...of.file}
            onPick={chosen => void steps.pick(chosen)}
            isPending={pending === 'preview'}
            again={!!seen}
          />
          {more}
        </div>
      )}
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
      {pending && (
        <p className={styles.summary} role="status">
          <Spinner /> {pending === 'apply' ? 'Importing. This can take a minute.' : 'Reading the file…'}
        </p>
      )}
      {preview && !done && pending !== 'apply' && (
        <p className={styles.summary} role="status">
          <span>
            <b>{file?.name}</b>: {of.summary(preview)}
          </span>
        </p>
      )}
      {!done && of.fields?.(steps)}
      {preview && !done && of.rows(preview)}
    </>
  );
}

function Apply<Options, Result>({ of, steps: { preview, done, pending, apply } }: StepsProps<Options, Result>) {
  if (!preview || done) return null;
  const { text, isOff } = of.apply(preview);
  return (
    <Button variant="primary" isDisabled={isOff} isPending={pending === 'apply'} onPress={() => void apply()}>
      {text}
    </Button>
  );
}
