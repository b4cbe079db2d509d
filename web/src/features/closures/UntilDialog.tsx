import { useState } from 'react';
import { say } from '~/api';
import { serverClock } from '~/lib/clock';
import { useAtNow } from '~/live';
import { type Closure, isClosureActive } from '~/model/closure';
import type { Instant } from '~/model/instant';
import { instantOfLocal, localText } from '~/model/localTime';
import { toastUndo } from '~/section/undo';
import { useWords } from '~/section/words';
import { Button, Dialog, ErrorNotice, TextField } from '~/ui';
import styles from './closures.module.css';
import { switchClosure } from './queries';
import { latestEnd } from './quick';
import { inText } from './words';

const HOUR_MS = 3_600_000;
const SPANS = [
  { label: '1 hour', ms: HOUR_MS },
  { label: '4 hours', ms: 4 * HOUR_MS },
  { label: '8 hours', ms: 8 * HOUR_MS },
  { label: '1 day', ms: 24 * HOUR_MS },
  { label: '1 week', ms: 7 * 24 * HOUR_MS },
] as const;

/** Why an end is refused; undefined when it is well. */
export function endProblem(end: Instant, begun: Instant, now: Instant): string | undefined {
  if (end === 0) return 'End date required';
  if (end <= now) return 'End time must be in the future';
  return end > latestEnd(begun) ? 'End date must be within 3 months' : undefined;
}

/** Until when a closure is to be active: begins it, or moves the end of one that is. */
export function UntilDialog({ closure, onClose }: { closure: Closure; onClose: () => void }) {
  const { timeZone } = useWords();
  const isActive = useAtNow(now => isClosureActive(closure, now));
  const [text, setText] = useState(() => {
    const now = serverClock.now();
    return localText(isClosureActive(closure, now) ? closure.end_time : now + 24 * HOUR_MS, timeZone);
  });
  const [isPending, setPending] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [failure, setFailure] = useState<string>();
  const end = instantOfLocal(text, timeZone);
  const problem = useAtNow(now => endProblem(end, isActive ? closure.start_time : now, now) ?? '');
  const left = useAtNow(now => (end > now ? inText(end, now) : ''));
  const save = async () => {
    setAsked(true);
    if (problem) return;
    setPending(true);
    setFailure(undefined);
    try {
      const saved = await switchClosure(closure.id, end);
      toastUndo(isActive ? 'Closure end changed' : 'Closure activated', 'closure', saved);
      onClose();
    } catch (error) {
      setFailure(say('closure.activate', error));
      setPending(false);
    }
  };
  return (
    <Dialog
      isOpen
      onOpenChange={open => !open && onClose()}
      title={isActive ? 'Change end time' : 'Activate closure'}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" isPending={isPending} onPress={() => void save()}>
            {isActive ? 'Save' : 'Activate'}
          </Button>
        </>
      }
    >
      <form
        className={styles.until}
        onSubmit={event => {
          event.preventDefault();
          void save();
        }}
      >
        <p>{closure.description}</p>
        <fieldset className={styles.spans}>
          <legend>{isActive ? 'Ends in' : 'Active for'}</legend>
          {SPANS.map(({ label, ms }) => (
            <Button key={label} size="small" onPress={() => setText(localText(serverClock.now() + ms, timeZone))}>
              {label}
            </Button>
          ))}
        </fieldset>
        <TextField
          label="Ends"
          type="datetime-local"
          value={text}
          onChange={setText}
          hint={[left, timeZone.replaceAll('_', ' ')].filter(Boolean).join(' · ')}
          error={(isAsked || end !== 0) && problem ? problem : undefined}
        />
        {failure && <ErrorNotice>{failure}</ErrorNotice>}
      </form>
    </Dialog>
  );
}
