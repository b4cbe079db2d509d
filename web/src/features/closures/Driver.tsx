import limits from '@catalog/limits.json';
import { useMemo, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { cx } from '~/lib/cx';
import { liveStore, useAtNow, useIsLoaded, useRow, useRows, useThing } from '~/live';
import { type Closure, closureStatus, isClosureActive } from '~/model/closure';
import { agoText } from '~/model/format';
import { matchesThing, searchOf } from '~/model/search';
import { statusLabel } from '~/model/status';
import type { Thing } from '~/model/thing';
import { Mark } from '~/section/Mark';
import { useWords as useOrganizationWords } from '~/section/words';
import { useOrganization } from '~/session';
import { KeyValues, Notice, SearchField, useWords } from '~/ui';
import type { ClosureDraft } from './form';
import styles from './form.module.css';
import { endText, statusText } from './words';

type Form = UseFormReturn<ClosureDraft>;

/** No list to scroll through: whoever has more boards than this searches. */
const SHOWN = 6;
const { estimateMs, silentMs, moveM } = limits.closure;
const HOUR = 3_600_000;

/** The asset that drives an automated closure, and what it then says instead of people. */
export function Driver({ form, closure }: { form: Form; closure: Closure | undefined }) {
  const chosen = useWatch({ control: form.control, name: 'thing_id' });
  const [search, setSearch] = useState('');
  const isLoaded = useIsLoaded();
  const own = useOrganization().id;
  const of = closure?.organization_id ?? own;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has been loaded
  const boards = useMemo(() => boardsNow(of), [isLoaded, of]);
  const found = boards.filter(thing => thing.id !== chosen && matchesThing(thing, searchOf(search)));
  useWords('thing_id', 'Asset', id => liveStore.thing(String(id))?.primaryDisplayName ?? 'None');
  const error = form.formState.errors.thing_id?.message;
  const choose = (id: string) =>
    form.setValue('thing_id', id, { shouldDirty: true, shouldTouch: true, shouldValidate: true });
  const shown = [...(chosen ? [chosen] : []), ...found.slice(0, SHOWN).map(({ id }) => id)];
  return (
    <fieldset className={styles.choice}>
      <legend>Asset (required)</legend>
      {boards.length > SHOWN && (
        <SearchField
          label="Search for an arrow board"
          value={search}
          onChange={setSearch}
          className={styles.wide ?? ''}
        />
      )}
      <ul className={styles.boards}>
        {shown.map(id => (
          <Board key={id} id={id} isChosen={id === chosen} own={closure?.id} onChoose={choose} />
        ))}
      </ul>
      {boards.length === 0 && (
        <p className={styles.sum}>No asset here can drive a closure. Register an arrow board first.</p>
      )}
      {found.length > SHOWN && <p className={styles.sum}>{found.length - SHOWN} more. Search to find them.</p>}
      {boards.length > 0 && search !== '' && found.length === 0 && <p className={styles.sum}>No arrow board found.</p>}
      {error && (
        <p role="alert" className={styles.wrong}>
          {error}
        </p>
      )}
      <Follows closure={closure} />
    </fieldset>
  );
}

/** The assets that may drive closures of an organization, by name: its own and those that it manages, as the server asks. */
function boardsNow(of: string): Thing[] {
  const all = [...liveStore.ids()].flatMap(id => liveStore.thing(id) ?? []);
  const isTheirs = ({ organization, relationships }: Thing) =>
    organization.id === of ||
    relationships.some(({ organizationId, relationType }) => organizationId === of && relationType === 'manager');
  return all
    .filter(thing => thing.isAllowedForClosures && isTheirs(thing))
    .sort((a, b) => (a.nameKey < b.nameKey ? -1 : 1));
}

interface BoardProps {
  id: string;
  isChosen: boolean;
  /** the closure that is edited */
  own: string | undefined;
  onChoose: (id: string) => void;
}

/** A board with its present state, and whether another closure has it already. */
function Board({ id, isChosen, own, onChoose }: BoardProps) {
  const thing = useThing(id);
  const heard = useAtNow(now => agoText(thing?.heartbeatAt ?? 0, now));
  const drives = useRows('closure').find(closure => closure.thing?.id === id && closure.id !== own);
  if (!thing) return null;
  const isTaken = drives !== undefined || thing.activeClosures.some(closure => closure.id !== own);
  const taken = drives ? `Already drives “${drives.description}”` : 'Already drives another closure';
  const state = [statusLabel(thing.status, thing.isResponderType), `last heartbeat ${heard}`, thing.street];
  return (
    <li>
      <button
        type="button"
        className={cx(styles.board, isChosen && styles.chosen)}
        aria-pressed={isChosen}
        disabled={isTaken && !isChosen}
        onClick={() => onChoose(id)}
      >
        <Mark thing={thing} size={26} />
        <span>
          <b>{thing.primaryDisplayName}</b>
          <span>{isTaken ? taken : state.filter(Boolean).join(' · ')}</span>
        </span>
      </button>
    </li>
  );
}

const hours = (ms: number): string => (ms === HOUR ? 'an hour' : `${ms / HOUR} hours`);

/** What nobody fills in, because the board says it. */
function Follows({ closure }: { closure: Closure | undefined }) {
  const words = useOrganizationWords();
  const heardAt = useThing(closure?.thing?.id ?? '')?.heartbeatAt ?? 0;
  const row = useRow('closure', closure?.id ?? '') ?? closure;
  const status = useAtNow(now => (row ? statusText(closureStatus(row, now, heardAt)) : ''));
  const end = useAtNow(now => (row && isClosureActive(row, now) ? endText(row, words, now) : ''));
  return (
    <div className={styles.follows}>
      {row && (
        <KeyValues
          dense
          rows={[
            ['Status', status],
            ['Ends', end || 'When its board is turned off'],
            ['Starts at', row.street_start || row.road_name || 'At the board'],
          ]}
        />
      )}
      <Notice>
        The board controls the rest. The closure is active while the board is on. Its line starts at the board, is as
        long as the one you draw, and moves when the board moves {moveM.value} m or more. Its end time is an estimate:{' '}
        {hours(estimateMs.value)} after the board's last report. After {hours(silentMs.value)} without a report, the
        closure ends.
      </Notice>
    </div>
  );
}
