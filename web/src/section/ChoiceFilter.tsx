import { ListFilter } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { countText } from '~/model/format';
import { Button, Checkbox, Popover } from '~/ui';
import styles from './filter.module.css';

export interface Choice {
  id: string;
  label: string;
  icon?: ReactNode;
}

export interface ChoiceFilterProps {
  /** "Area Types" */
  label: string;
  all: readonly Choice[];
  /** ids; null = all */
  chosen: ReadonlySet<string> | null;
  onChange: (chosen: ReadonlySet<string> | null) => void;
  /** how many rows there are of each */
  counts: ReadonlyMap<string, number>;
  /** Why none of them cannot be chosen, where it cannot: what was chosen last stays on then. */
  least?: string;
}

/** Which kinds of rows the list and the map show, with how many there are of each. */
export function ChoiceFilter(props: ChoiceFilterProps) {
  const { label, all, chosen, onChange, counts, least } = props;
  /** Nothing is ticked, which cannot be shown: the refusal stands until something is ticked, or the panel is closed. */
  const [isNone, setNone] = useState(false);
  const ticked = isNone ? NOTHING : (chosen ?? new Set(all.map(one => one.id)));
  const choose = (next: ReadonlySet<string>) => {
    const refused = least !== undefined && next.size === 0;
    setNone(refused);
    if (!refused) onChange(next.size === all.length ? null : next);
  };
  const tick = (id: string, on: boolean) => {
    const next = new Set(ticked);
    if (on) next.add(id);
    else next.delete(id);
    choose(next);
  };
  const button = (
    <Button
      size="small"
      icon={<ListFilter size={14} strokeWidth={1.75} aria-hidden="true" />}
      aria-label={chosen ? `${label}, ${chosen.size} of ${all.length} shown` : label}
    >
      <span className={styles.word}>{label}</span>
      {chosen && ` (${chosen.size})`}
    </Button>
  );
  return (
    <Popover trigger={button} label={label} placement="bottom end" onOpenChange={open => !open && setNone(false)}>
      <div className={styles.choices}>
        {least !== undefined && (
          <Checkbox
            isSelected={ticked.size === all.length}
            isIndeterminate={ticked.size > 0 && ticked.size < all.length}
            onChange={on => choose(on ? new Set(all.map(one => one.id)) : NOTHING)}
          >
            All types
          </Checkbox>
        )}
        {isNone && (
          <p className={styles.refusal} role="alert">
            {least}
          </p>
        )}
        {all.map(({ id, label: name, icon }) => (
          <Checkbox key={id} isSelected={ticked.has(id)} onChange={on => tick(id, on)}>
            {icon}
            {name} <span className="num">{countText(counts.get(id) ?? 0)}</span>
          </Checkbox>
        ))}
        {chosen && least === undefined && (
          <Button size="small" variant="ghost" onPress={() => onChange(null)}>
            Show all types
          </Button>
        )}
      </div>
    </Popover>
  );
}

const NOTHING: ReadonlySet<string> = new Set();

interface KindFilterProps<Row> extends Omit<ChoiceFilterProps, 'counts'> {
  rows: readonly Row[];
  /** the id of a row's kind; always the same function */
  kindOf: (row: Row) => string;
}

/** The same for kinds of which each row has one. */
export function KindFilter<Row>({ rows, kindOf, ...choices }: KindFilterProps<Row>) {
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const row of rows) found.set(kindOf(row), (found.get(kindOf(row)) ?? 0) + 1);
    return found;
  }, [rows, kindOf]);
  return <ChoiceFilter {...choices} counts={counts} />;
}
