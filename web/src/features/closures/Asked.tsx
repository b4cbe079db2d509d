import { useState } from 'react';
import { say } from '~/api';
import { useAtNow } from '~/live';
import { type Closure, isClosureActive } from '~/model/closure';
import { agoText } from '~/model/format';
import { useWords } from '~/section/words';
import { Button, toast } from '~/ui';
import styles from './closures.module.css';
import { confirmClosure } from './queries';
import { useMaySwitch } from './quick';
import { timeText, unansweredEnd } from './words';

type Answer = Parameters<typeof confirmClosure>[1];

const ANSWERS: readonly { id: Answer; label: string; done: string }[] = [
  { id: 'still', label: 'Still there', done: 'Closure confirmed' },
  { id: 'moved', label: 'Moved', done: 'Closure ended' },
  { id: 'finished', label: 'Finished', done: 'Closure ended' },
];

const UNASKED = [{ id: 'still', label: "Confirm it's still there", done: 'Closure confirmed' }] as const;

/**
 * For an active closure that people made: asks for confirmation that it is still there. Where someone is asked, that it
 * is asked, and what happens without an answer.
 */
export function Asked({ closure }: { closure: Closure }) {
  const words = useWords();
  const [pending, setPending] = useState<Answer>();
  const mayAnswer = useMaySwitch(closure);
  const isActive = useAtNow(now => isClosureActive(closure, now));
  const question = useAtNow(now => {
    if (closure.asked_at === 0) return '';
    const end = timeText(unansweredEnd(closure), words, now);
    return `Is it still there? Asked ${agoText(closure.asked_at, now)}. Without an answer, it ends at ${end}.`;
  });
  if (!isActive || (!mayAnswer && !question)) return null;
  const answer = async ({ id, done }: (typeof ANSWERS)[number]) => {
    setPending(id);
    try {
      await confirmClosure(closure.id, id);
      toast(done);
    } catch (error) {
      toast(say('closure.confirm', error), { tone: 'danger' });
    }
    setPending(undefined);
  };
  // Where nothing is asked, the button says by itself what it is about.
  const offered = question ? ANSWERS : UNASKED;
  return (
    <div className={question ? styles.asked : undefined}>
      {question && <p role="status">{question}</p>}
      {mayAnswer && (
        <div className={styles.answers}>
          {offered.map(one => (
            <Button
              key={one.id}
              size="small"
              variant={question && one.id === 'still' ? 'primary' : 'default'}
              isPending={pending === one.id}
              isDisabled={pending !== undefined && pending !== one.id}
              onPress={() => void answer(one)}
            >
              {one.label}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
