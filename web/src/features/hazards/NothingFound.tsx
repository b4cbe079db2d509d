import { texts } from '~/api';
import { useRows } from '~/live';
import { Button, EmptyState } from '~/ui';
import { patchView, useHazardsView } from './view';

/** Why the list is empty, and what to do about it. */
export function NothingFound() {
  const types = useHazardsView(view => view.types);
  const ended = useHazardsView(view => view.ended);
  const hasAny = useRows('hazard').length > 0;
  const why = () => {
    if (ended) return 'No hazard has ended in the last 24 hours.';
    return hasAny ? 'No active hazards.' : 'Hazards from devices, feeds, and imported files appear here.';
  };
  return (
    <EmptyState
      title={texts.empty.list}
      action={types && <Button onPress={() => patchView({ types: null })}>Show all types</Button>}
    >
      {types ? 'There may be hazards of other types.' : why()}
    </EmptyState>
  );
}
