import { ListFilter } from 'lucide-react';
import { useMemo } from 'react';
import { useRows } from '~/live';
import { areaTypeOptions } from '~/model/area';
import { countText } from '~/model/format';
import { Button, Checkbox, Popover } from '~/ui';
import styles from './areas.module.css';
import { patchView, useAreasView } from './view';

const ALL = areaTypeOptions();

/** Which types of areas the list and the map show, with how many there are. */
export function TypeFilter() {
  const rows = useRows('area');
  const types = useAreasView(view => view.types);
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const { typeName } of rows) found.set(typeName, (found.get(typeName) ?? 0) + 1);
    return found;
  }, [rows]);
  const choose = (name: string, on: boolean) => {
    const next = new Set(types ?? ALL.map(type => type.name));
    if (on) next.add(name);
    else next.delete(name);
    patchView({ types: next.size === ALL.length ? null : next });
  };
  const button = (
    <Button
      size="small"
      icon={<ListFilter size={14} strokeWidth={1.75} aria-hidden="true" />}
      aria-label={types ? `Area Types, ${types.size} of ${ALL.length} shown` : 'Area Types'}
    >
      {types ? `Area Types (${types.size})` : 'Area Types'}
    </Button>
  );
  return (
    <Popover trigger={button} label="Area Types" placement="bottom end">
      <div className={styles.choices}>
        {ALL.map(({ name, label }) => (
          <Checkbox key={name} isSelected={types?.has(name) ?? true} onChange={on => choose(name, on)}>
            {label} <span className="num">{countText(counts.get(name) ?? 0)}</span>
          </Checkbox>
        ))}
        {types && (
          <Button size="small" variant="ghost" onPress={() => patchView({ types: null })}>
            Show all types
          </Button>
        )}
      </div>
    </Popover>
  );
}
