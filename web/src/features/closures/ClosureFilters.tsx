import { ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';
import { CLOSURE_STATUSES, CLOSURE_TYPES } from '~/model/closure';
import { DEFAULT_CLOSURES, DEFAULT_STATUSES } from '~/model/closureFilter';
import { countText, NONE } from '~/model/format';
import filter from '~/section/filter.module.css';
import { Badge, Button, Checkbox, Popover } from '~/ui';
import styles from './closures.module.css';
import type { ClosureCounts } from './counts';
import { patchView, useClosuresView } from './view';
import { statusText, typeText } from './words';

function toggled<T>(set: ReadonlySet<T>, member: T, on: boolean): ReadonlySet<T> {
  const next = new Set(set);
  if (on) next.add(member);
  else next.delete(member);
  return next;
}

const { types: EVERY_TYPE, outOfService, time } = DEFAULT_CLOSURES;
/** What a fresh screen shows; the search stays. */
const reset = () => patchView({ types: EVERY_TYPE, statuses: DEFAULT_STATUSES, outOfService, time });

/** How many settings are not as a fresh screen has them. */
function useChanges(): number {
  const types = useClosuresView(view => view.types);
  const statuses = useClosuresView(view => view.statuses);
  const isOosShown = useClosuresView(view => view.outOfService);
  const others = CLOSURE_STATUSES.filter(one => statuses.has(one) !== DEFAULT_STATUSES.has(one)).length;
  return (types ? CLOSURE_TYPES.length - types.size : 0) + others + (isOosShown ? 1 : 0);
}

/** Which closures the list and the map show, with how many there are of each kind. */
export function ClosureFilters({ counts }: { counts: ClosureCounts | undefined }) {
  const types = useClosuresView(view => view.types);
  const statuses = useClosuresView(view => view.statuses);
  const isOosShown = useClosuresView(view => view.outOfService);
  const changes = useChanges();
  const chosen = types ?? new Set(CLOSURE_TYPES);
  const button = (
    <Button size="small" icon={<ListFilter size={14} strokeWidth={1.75} aria-hidden="true" />}>
      <span className={filter.word}>Filters</span>
      {changes > 0 && <Badge count={changes} label={changes === 1 ? 'change' : 'changes'} />}
    </Button>
  );
  return (
    <Popover trigger={button} label="Filters" placement="bottom end">
      <div className={filter.choices}>
        <Part title="Types">
          {CLOSURE_TYPES.map(type => (
            <Choice
              key={type}
              label={typeText(type)}
              count={counts?.types[type]}
              isSelected={chosen.has(type)}
              onChange={on => {
                const next = toggled(chosen, type, on);
                patchView({ types: next.size === CLOSURE_TYPES.length ? null : next });
              }}
            />
          ))}
        </Part>
        <Part title="Statuses">
          {CLOSURE_STATUSES.map(status => (
            <Choice
              key={status}
              label={statusText(status)}
              count={counts?.statuses[status]}
              isSelected={statuses.has(status)}
              onChange={on => patchView({ statuses: toggled(statuses, status, on) })}
            />
          ))}
        </Part>
        <Part title="Service">
          <Choice
            label="Out-of-Service"
            count={counts?.outOfService}
            isSelected={isOosShown}
            onChange={on => patchView({ outOfService: on })}
          />
        </Part>
        <Button size="small" variant="ghost" isDisabled={changes === 0} onPress={reset}>
          Reset
        </Button>
      </div>
    </Popover>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.part}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  count: number | undefined;
  isSelected: boolean;
  onChange: (on: boolean) => void;
}

const Choice = ({ label, count, isSelected, onChange }: ChoiceProps) => (
  <Checkbox isSelected={isSelected} onChange={onChange}>
    {label} <span className="num">{count === undefined ? NONE : countText(count)}</span>
  </Checkbox>
);
