import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { liveStore, useCounts, useIsLoaded } from '~/live';
import { ShapeMark } from '~/map/StatusMark';
import type { MarkStatus } from '~/map/types';
import { defaultFilter, isShowAll, type Relation, resetFilter, showAllFilter, type ThingFilter } from '~/model/filter';
import { countText, NONE } from '~/model/format';
import { Status, THING_STATUSES } from '~/model/status';
import { catalogName } from '~/model/thingType';
import screen from '~/section/screen.module.css';
import { type MapSwitches, mapSwitches, switchMap } from '~/section/view';
import { useWords } from '~/section/words';
import { type Preferences, preferences, setPreference, useCan } from '~/session';
import { Button, Checkbox, Switch, useFullSheet } from '~/ui';
import styles from './filters.module.css';
import { ofStatus, wordFor } from './statusWords';

const CLOSE_MS = limits.ui.applyFiltersCloseMs.value;

/** A set with a member put in or taken out. */
function toggled<T>(set: ReadonlySet<T>, member: T, on: boolean): ReadonlySet<T> {
  const next = new Set(set);
  if (on) next.add(member);
  else next.delete(member);
  return next;
}

/** How things are shown: three preferences, and two switches of the map. */
type ViewDraft = Pick<Preferences, 'groupView' | 'densityView' | 'stationView'> & MapSwitches;

function viewNow(): ViewDraft {
  const { groupView, densityView, stationView } = preferences.get();
  return { groupView, densityView, stationView, ...mapSwitches.get() };
}

/** Takes over what has changed: the rest may have changed elsewhere meanwhile. */
function applyView(draft: ViewDraft, begun: ViewDraft): void {
  for (const name of ['groupView', 'densityView', 'stationView'] as const) {
    if (draft[name] !== begun[name]) setPreference(name, draft[name]);
  }
  for (const name of ['showAssets', 'showLocations'] as const) {
    if (draft[name] !== begun[name]) switchMap({ [name]: draft[name] });
  }
}

/** The filters of the Live section: all of it a draft until Apply, which closes the panel after 100 ms. */
export function FilterPanel({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<ThingFilter>(() => liveStore.getFilter());
  const [begun] = useState(viewNow);
  const [view, setView] = useState(begun);
  const beforeAll = useRef<ThingFilter | undefined>(undefined);
  const panel = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useFullSheet();
  useEffect(() => {
    const opener = document.activeElement;
    panel.current?.querySelector('input')?.focus();
    return () => {
      clearTimeout(timer.current);
      // The focus went with the panel: it returns to what opened it.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);

  const apply = () => {
    setPreference('showOffline', draft.statuses.has(Status.OFFLINE));
    applyView(view, begun);
    // The search may have moved on while the panel was open.
    liveStore.setFilter({ ...draft, search: liveStore.getFilter().search });
    timer.current = setTimeout(onClose, CLOSE_MS);
  };
  const showAll = (on: boolean) => {
    if (on) beforeAll.current = draft;
    setDraft(on ? showAllFilter(draft.search) : (beforeAll.current ?? defaultFilter(false)));
  };
  return (
    <form
      ref={panel}
      className={styles.panel}
      aria-label="Filters"
      onSubmit={event => {
        event.preventDefault();
        apply();
      }}
      onKeyDown={event => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className={styles.panelBody}>
        <Switch atEnd isSelected={isShowAll(draft)} onChange={showAll}>
          Show All
        </Switch>
        <StatusFilters draft={draft} onChange={setDraft} />
        <TypeFilters draft={draft} onChange={setDraft} />
        <RelationFilters draft={draft} onChange={setDraft} />
        <ViewSwitches draft={view} onChange={setView} />
      </div>
      <div className={screen.foot}>
        <Button
          variant="ghost"
          className={styles.left}
          onPress={() => setDraft(resetFilter({ ...draft, statuses: defaultFilter(true).statuses }))}
        >
          Reset
        </Button>
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="primary" type="submit">
          Apply
        </Button>
      </div>
    </form>
  );
}

interface PartProps {
  draft: ThingFilter;
  onChange: (next: ThingFilter) => void;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  /** The mark that the map and the rows show for it. */
  mark?: MarkStatus;
  count: number;
  /** Those out of service that it stands for as well. */
  oos?: number;
  isSelected: boolean;
  onChange: (on: boolean) => void;
}

function Choice({ label, mark, count, oos = 0, isSelected, onChange }: ChoiceProps) {
  const isLoaded = useIsLoaded();
  return (
    <Checkbox isSelected={isSelected} onChange={onChange} className={styles.choice ?? ''}>
      {mark && <ShapeMark status={mark} />}
      {label}{' '}
      <span className="num">
        {isLoaded ? countText(count) : NONE}
        {isLoaded && oos > 0 && ` +${countText(oos)} OOS`}
      </span>
    </Checkbox>
  );
}

const markOf = (status: Status) => enums.status[status]?.name as MarkStatus;

function StatusFilters({ draft, onChange }: PartProps) {
  const counts = useCounts();
  const words = useWords();
  return (
    <Part title="Status">
      {THING_STATUSES.map(status => {
        const { inService, oos } = ofStatus(counts, status);
        return (
          <Choice
            key={status}
            label={wordFor(status, words)}
            mark={markOf(status)}
            count={inService}
            oos={oos}
            isSelected={draft.statuses.has(status)}
            onChange={on => onChange({ ...draft, statuses: toggled(draft.statuses, status, on) })}
          />
        );
      })}
      <Choice
        label="Out-of-Service"
        mark={markOf(Status.OOS)}
        count={counts.oos}
        isSelected={draft.outOfService}
        onChange={outOfService => onChange({ ...draft, outOfService })}
      />
    </Part>
  );
}

/** Shown only when at least two types have counts. */
function TypeFilters({ draft, onChange }: PartProps) {
  const { byType } = useCounts();
  if (byType.size < 2) return null;
  const types = [...byType].map(([id, count]) => ({ id, count, label: catalogName(id) || 'Other' }));
  types.sort((a, b) => a.label.localeCompare(b.label, 'en'));
  const chosen = draft.types ?? new Set(types.map(t => t.id));
  const choose = (id: string, on: boolean) => {
    const next = toggled(chosen, id, on);
    onChange({ ...draft, types: types.every(t => next.has(t.id)) ? null : next });
  };
  return (
    <Part title="Type">
      {types.map(t => (
        <Choice
          key={t.id}
          label={t.label}
          count={t.count}
          isSelected={chosen.has(t.id)}
          onChange={on => choose(t.id, on)}
        />
      ))}
    </Part>
  );
}

const RELATION_WORDS: Record<Relation, string> = { owned: 'Owned', managed: 'Managed' };

function RelationFilters({ draft, onChange }: PartProps) {
  const { owned, managed } = useCounts();
  if (owned === 0 || managed === 0) return null;
  const counts: Record<Relation, number> = { owned, managed };
  return (
    <Part title="Relationship">
      {(['owned', 'managed'] as const).map(relation => (
        <Choice
          key={relation}
          label={RELATION_WORDS[relation]}
          count={counts[relation]}
          isSelected={draft.relations.has(relation)}
          onChange={on => onChange({ ...draft, relations: toggled(draft.relations, relation, on) })}
        />
      ))}
    </Part>
  );
}

function ViewSwitches({ draft, onChange }: { draft: ViewDraft; onChange: (next: ViewDraft) => void }) {
  const words = useWords();
  const mayDense = useCan('VIEW_HEATMAP');
  const mayStations = useCan('VIEW_AREAS');
  const mayEvents = useCan('VIEW_EVENTS');
  const turn = (name: keyof ViewDraft) => ({
    isSelected: draft[name],
    onChange: (on: boolean) => onChange({ ...draft, [name]: on }),
  });
  return (
    <Part title="View">
      <Switch atEnd {...turn('groupView')}>
        Group View
      </Switch>
      {mayDense && (
        <Switch atEnd {...turn('densityView')}>
          Density View
        </Switch>
      )}
      {mayStations && (
        <Switch atEnd {...turn('stationView')}>
          Station View
        </Switch>
      )}
      <Switch atEnd {...turn('showAssets')}>
        Assets on the map
      </Switch>
      {mayEvents && (
        <Switch atEnd {...turn('showLocations')}>
          {words.events} on the map
        </Switch>
      )}
    </Part>
  );
}
