import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { api, asFailure, say, texts } from '~/api';
import { chunkTypeOf } from '~/lib/chunk';
import { cx } from '~/lib/cx';
import { useDelayed } from '~/lib/debounce';
import { Button, buttonClass } from '~/ui/Button';
import styles from './screens.module.css';

/** One sentence in the middle, and a way on. `inside` covers the stage of the shell instead of the page. */
function Screen({
  title,
  children,
  inside,
  alert,
}: {
  title: string;
  children?: ReactNode;
  inside?: boolean;
  alert?: boolean;
}) {
  return (
    <div className={cx(styles.screen, inside && styles.inside)} {...(alert ? { role: 'alert' } : {})}>
      <span className={cx('light-bar', styles.bar)} aria-hidden="true" />
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  );
}

/** Unknown addresses, inside the shell's main part. */
export function NotFound() {
  return (
    <Screen title={texts.chrome.notFound}>
      <a className={buttonClass({ variant: 'primary' })} href="/">
        {texts.chrome.notFoundButton}
      </a>
    </Screen>
  );
}

/** Unknown addresses as a page of its own. */
export const NotFoundPage = () => (
  <main className={styles.page}>
    <NotFound />
  </main>
);

/**
 * Something broke while drawing: a part of the app did not come, or a fault. A full load, not a route, so that a
 * broken state cannot survive.
 */
export function FailureScreen({ error }: { error?: unknown }) {
  const type = chunkTypeOf(error);
  if (type) return <ChunkScreen type={type} />;
  return (
    <Screen title={texts.chrome.failure} alert>
      <a className={buttonClass({ variant: 'primary' })} href="/">
        {texts.chrome.notFoundButton}
      </a>
    </Screen>
  );
}

const chunkNotes = {
  missing: "Part of the app didn't load. You may be offline, or there's a new version.",
  timeout: 'Part of the app took too long to load.',
  late: 'You may be offline. This opens as soon as it arrives.',
} as const;

/** A part that has not come by then is said to be late: a network that is gone often fails nothing, it only is silent. */
const LATE_MS = 5000;

/** While the server is away, it is asked this often whether it is back. */
const ASK_MS = 5000;

const answers = () =>
  api.request('GET /version', { auth: false }).then(
    () => true,
    () => false,
  );

/** Loads the page anew, if the server answers: else the browser's own error page would be all that is left. */
const retry = () => void answers().then(isThere => isThere && window.location.reload());

/**
 * A part of the app did not come: loading the page anew asks for it again. That happens by itself once a network or a
 * server that was away is back; a server that answers without the part is asked again only by hand.
 */
function ChunkScreen({ type }: { type: keyof typeof chunkNotes }) {
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    let isOver = false;
    void answers().then(isThere => {
      if (!isThere && !isOver) timer = setInterval(retry, ASK_MS);
    });
    window.addEventListener('online', retry);
    return () => {
      isOver = true;
      clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, []);
  return (
    <Screen title={type === 'late' ? 'Still loading' : 'This page could not be loaded.'} alert>
      <p className={styles.note}>{chunkNotes[type]}</p>
      <div className={styles.ways}>
        <Button onPress={() => window.history.back()}>Back</Button>
        <Button variant="primary" onPress={retry}>
          Retry
        </Button>
      </div>
    </Screen>
  );
}

/** What stands for parts that are on their way: the shape of what will be there. */
export const ComingShape = createContext<ReactNode>(null);

/** In the place of a part that is on its way. It may still come: then it shows by itself. */
export function Coming() {
  const isLate = useDelayed(true, LATE_MS);
  const shape = useContext(ComingShape);
  return isLate ? <ChunkScreen type="late" /> : (shape ?? <Restoring />);
}

/** Permission is lacking, or the screen is too small. */
export function Refused({ why }: { why: 'forbidden' | 'notOnMobile' }) {
  return (
    <Screen title={why === 'forbidden' ? texts.chrome.forbidden : texts.chrome.notOnMobile} inside>
      <a className={buttonClass({ variant: 'primary' })} href="/">
        {texts.chrome.notFoundButton}
      </a>
    </Screen>
  );
}

/** While the session of this browser is brought back: what index.html has painted stands on, so that nothing jumps. */
export function FirstPaint() {
  return (
    <div className="first-paint" role="status">
      <span className="light-bar" aria-hidden="true" />
      <span className="visually-hidden">Loading</span>
    </div>
  );
}

/** While a part of the app is on its way; silent at first, because it takes a moment only. */
export function Restoring() {
  const late = useDelayed(true, 300);
  return (
    <div className={styles.screen} role="status">
      <span className={cx('light-bar', styles.bar)} aria-hidden="true" />
      <span className={late ? styles.note : 'visually-hidden'}>Loading…</span>
    </div>
  );
}

/** The server cannot be reached at the start. */
export function Unreachable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const failure = asFailure(error);
  return (
    <Screen title={say('token', error)} alert>
      <p className={styles.note}>{texts.chrome.connection}</p>
      <Button variant="primary" onPress={onRetry}>
        Retry
      </Button>
      {failure.requestId && <p className="mono">{failure.requestId}</p>}
    </Screen>
  );
}
