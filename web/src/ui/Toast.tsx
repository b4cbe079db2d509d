import { cx } from '~/lib/cx';
import { createStore, useStore } from '~/lib/store';
import { Button } from './Button';
import styles from './Notice.module.css';

interface Passing {
  id: number;
  text: string;
  tone: 'info' | 'danger';
  action: ToastAction | undefined;
}

/** A way back while the text stands ("Undo"). */
export interface ToastAction {
  label: string;
  onPress: () => void;
}

const passing = createStore<readonly Passing[]>([]);
const said = createStore('');
let last = 0;

/** Shows a text in passing (4 s unless told; 10 s with an action) and has screen readers say it. */
export function toast(text: string, options: { tone?: Passing['tone']; ms?: number; action?: ToastAction } = {}): void {
  last += 1;
  const entry: Passing = { id: last, text, tone: options.tone ?? 'info', action: options.action };
  passing.set(now => [...now.slice(-2), entry]);
  setTimeout(() => drop(entry), options.ms ?? (options.action ? 10_000 : 4000));
}

const drop = (entry: Passing) => passing.set(now => now.filter(other => other !== entry));

/** Has screen readers say a text without showing it ("12 assets shown"). */
export function announce(text: string): void {
  // A live region is silent when its text does not change; an invisible space makes it another one.
  said.set(now => (now === text ? `${text}\u00a0` : text));
}

/** The one place where passing texts appear; rendered once by the app. */
export function ToastRegion() {
  const toasts = useStore(passing);
  const words = useStore(said);
  return (
    <>
      <div className={styles.toasts} role="status" aria-live="polite" aria-atomic="false">
        {toasts.map(entry => (
          <div key={entry.id} className={cx(styles.toast, entry.tone === 'danger' && styles.danger)}>
            {entry.text}
            {entry.action && (
              <Button
                size="small"
                variant="ghost"
                onPress={() => {
                  drop(entry);
                  entry.action?.onPress();
                }}
              >
                {entry.action.label}
              </Button>
            )}
          </div>
        ))}
      </div>
      <div className="visually-hidden" aria-live="polite">
        {words}
      </div>
    </>
  );
}
