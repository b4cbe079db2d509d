import limits from '@catalog/limits.json';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { liveStore, useCounts, useIsLoaded } from '~/live';
import { defaultFilter, isShowAll, type Relation, resetFilter, showAllFilter, type ThingFilter } from '~/model/filter';
import { countText, NONE } from '~/model/format';
import type { Words } from '~/model/organization';
import { Status, statusLabel } from '~/model/status';
import { catalogName } from '~/model/thingType';
import screen from '~/section/screen.module.css';
import { useWords } from '~/section/words';
import { setPreference, useCan, usePreference } from '~/session';
import { Button, Checkbox, Switch, useFullSheet } from '~/ui';
import styles from './filters.module.css';
import { patchView, useThingsView } from './view';

const CLOSE_MS = limits.ui.applyFiltersCloseMs.value;

/** A set with a member put in or taken out. */
function toggled<T>(set: ReadonlySet<T>, member: T, on: boolean): ReadonlySet<T> {
  const next = new Set(set);
  if (on) next.add(member);
  else next.delete(member);
  return next;
}

/**
 * The filters of the Live section. What hides assets is a draft until Apply, which closes the panel after 100 ms;
 * how things are shown (groups, density, layers) acts at once.
 */
export function FilterPanel({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<ThingFilter>(() => liveStore.getFilter());
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
    // The search may have moved on while the panel was open.
    liveStore.setFilter({ ...draft, search: liveStore.getFilter().search });
    setPreference('showOffline', draft.statuses.has(Status.OFFLINE));
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
        <ViewSwitches />
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

function Choice(props: { label: string; count: number; isSelected: boolean; onChange: (on: boolean) => void }) {
  const isLoaded = useIsLoaded();
  return (
    <Checkbox isSelected={props.isSelected} onChange={props.onChange} className={styles.choice ?? ''}>
      {props.label} <span className="num">{isLoaded ? countText(props.count) : NONE}</span>
    </Checkbox>
  );
}

const FILTERED = [Status.LOCATION, Status.ACTIVE, Status.STANDBY, Status.STATIONARY, Status.PENDING, Status.OFFLINE];

/** Standby and stationary read the same in rows; as filters they need words of their own. */
function filterWord(status: Status, { responders }: Words): string {
  if (status === Status.STATIONARY) return 'Standby, stationary';
  const word = statusLabel(status, true);
  const general = statusLabel(status, false);
  if (responders === 'all' || word === general) return word;
  return responders === 'none' ? general : `${word} / ${general}`;
}

function StatusFilters({ draft, onChange }: PartProps) {
  const { byStatus, oos } = useCounts();
  const words = useWords();
  return (
    <Part title="Status">
      {FILTERED.map(status => (
        <Choice
          key={status}
          label={filterWord(status, words)}
          count={byStatus[status] ?? 0}
          isSelected={draft.statuses.has(status)}
          onChange={on => onChange({ ...draft, statuses: toggled(draft.statuses, status, on) })}
        />
      ))}
      <Choice
        label="Out-of-Service"
        count={oos}
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

function ViewSwitches() {
  const words = useWords();
  const isGrouped = usePreference('groupView');
  const isDense = usePreference('densityView');
  const mayDense = useCan('VIEW_HEATMAP');
  const mayEvents = useCan('VIEW_EVENTS');
  const assets = useThingsView(view => view.showAssets);
  const locations = useThingsView(view => view.showLocations);
  return (
    <Part title="View">
      <Switch atEnd isSelected={isGrouped} onChange={on => setPreference('groupView', on)}>
        Group View
      </Switch>
      {mayDense && (
        <Switch atEnd isSelected={isDense} onChange={on => setPreference('densityView', on)}>
          Density View
        </Switch>
      )}
      <Switch atEnd isSelected={assets} onChange={showAssets => patchView({ showAssets })}>
        Assets on the map
      </Switch>
      {mayEvents && (
        <Switch atEnd isSelected={locations} onChange={showLocations => patchView({ showLocations })}>
          {words.events} on the map
        </Switch>
      )}
    </Part>
  );
}
