import limits from '@catalog/limits.json';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { type AnswerOf, api } from '~/api';
import { serverClock } from '~/lib/clock';
import { createStore, type Store, useStore } from '~/lib/store';
import { streamStore } from '~/live';
import { whenText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { wordsOf } from '~/model/organization';
import { can, currentOrganization, session, useOrganization } from '~/session';
import { IconButton } from '~/ui/IconButton';
import styles from './away.module.css';
import { type AwayGroup, groupsOf } from './changes';
import { watchGaps } from './gaps';

const WINDOW_MS = limits.lists.changesWindowMs.value;
const MINUTE_MS = 60_000;

type Answer = AnswerOf<'GET /organization/changes'>;
interface Told {
  since: number;
  answer: Answer;
}

/** What changed while nobody could see the picture, once it is live again; nothing when nothing did. */
export function Away() {
  const [standing] = useState(() => createStore<Told | undefined>(undefined));
  const told = useStore(standing);
  const dismiss = () => standing.set(undefined);
  const organization = useOrganization();
  const title = useId();
  useEffect(() => followGaps(standing), [standing]);
  const words = wordsOf(organization);
  const groups = told ? groupsOf(told.answer, words) : [];
  const isOpen = told !== undefined && groups.length > 0;
  return (
    <section
      className={styles.panel}
      data-open={isOpen || undefined}
      aria-labelledby={isOpen ? title : undefined}
      onKeyDown={event => event.key === 'Escape' && dismiss()}
    >
      <div role="status" className={styles.summary}>
        {isOpen && (
          <>
            <h2 id={title} className={styles.title}>
              While you were away
            </h2>
            <p className={styles.counts}>
              <span className="num">Since {whenText(told.since, words.timeZone, serverClock.now())}</span>
              {groups.map(group => (
                <span key={group.noun}>{`${group.label}: ${group.counts}`}</span>
              ))}
            </p>
          </>
        )}
      </div>
      {isOpen && (
        <>
          <IconButton label="Dismiss" variant="ghost" size="small" className={styles.dismiss ?? ''} onPress={dismiss}>
            <X size={16} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
          <div className={styles.groups}>
            {groups.map(group => (
              <Group key={group.noun} group={group} zone={words.timeZone} />
            ))}
          </div>
        </>
      )}
    </section>
  );
}

function Group({ group: { label, rows, more }, zone }: { group: AwayGroup; zone: string }) {
  const title = useId();
  return (
    <div>
      <h3 id={title} className={styles.label}>
        {label}
      </h3>
      <ul className={styles.rows} aria-labelledby={title}>
        {rows.map(({ key, name, what, at, path }) => (
          <li key={key} className={styles.row}>
            {path ? (
              <Link to={path as '/'} className={styles.name}>
                {name}
              </Link>
            ) : (
              <span className={styles.name}>{name}</span>
            )}
            <span className={styles.what}>{what}</span>
            <time className={`${styles.at} num`} dateTime={at}>
              {whenText(instantOf(at), zone, serverClock.now())}
            </time>
          </li>
        ))}
        {more > 0 && <li className={styles.what}>{`and ${more} more`}</li>}
      </ul>
    </div>
  );
}

/** Asks what has changed after each gap; one that comes before the last was dismissed adds to it. Returns the way to stop. */
function followGaps(standing: Store<Told | undefined>): () => void {
  let abort = new AbortController();
  // The server instant up to which changes have been told: a gap is known to seconds, and may begin before it.
  let toldTo = 0;
  const begin = () => {
    abort.abort();
    abort = new AbortController();
    toldTo = 0;
    standing.set(undefined);
  };
  const ask = async (from: number) => {
    if (!can('VIEW_CHANGES')) return;
    const { signal } = abort;
    const begun = standing.get()?.since ?? Math.max(from, toldTo);
    const since = Math.max(begun, serverClock.now() - WINDOW_MS + MINUTE_MS);
    const query = { 'org_ids[]': [currentOrganization().id], since: new Date(since).toISOString() };
    try {
      const answer = await api.request('GET /organization/changes', { query, signal });
      if (signal.aborted) return;
      toldTo = instantOf(answer.meta.as_of);
      standing.set({ since, answer });
    } catch {
      // What changed is on the map and in the lists: this only points to it.
    }
  };
  const stop = watchGaps({
    stream: streamStore,
    locked: session.lock.locked,
    now: () => Date.now(),
    onBack: since => void ask(since),
    onBegin: begin,
  });
  return () => {
    stop();
    abort.abort();
  };
}
