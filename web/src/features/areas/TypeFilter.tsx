import { useMemo } from 'react';
import { useRows } from '~/live';
import { areaTypeOptions } from '~/model/area';
import { ChoiceFilter, countBy } from '~/section/ChoiceFilter';
import { patchView, useAreasView } from './view';

const ALL = areaTypeOptions().map(({ name, label }) => ({ id: name, label }));

/** Which types of areas the list and the map show. */
export function TypeFilter() {
  const rows = useRows('area');
  const types = useAreasView(view => view.types);
  const counts = useMemo(() => countBy(rows, area => area.typeName), [rows]);
  return (
    <ChoiceFilter
      label="Area Types"
      all={ALL}
      chosen={types}
      onChange={chosen => patchView({ types: chosen })}
      counts={counts}
    />
  );
}
