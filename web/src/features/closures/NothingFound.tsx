import { texts } from '~/api';
import { useRows } from '~/live';
import { everyClosure } from '~/model/closureFilter';
import { Button, EmptyState } from '~/ui';
import { useMayAdd } from './quick';
import { patchView, useClosuresView } from './view';

/** Why the list is empty, and what to do about it. */
export function NothingFound({ onClearSearch }: { onClearSearch: () => void }) {
  const search = useClosuresView(view => view.search);
  const mayAdd = useMayAdd();
  const hasAny = useRows('closure').length > 0;
  const why = () => {
    if (!hasAny) return mayAdd ? 'No closures yet. Zoom in and choose + Add.' : 'No closures yet.';
    return search === ''
      ? 'The filters hide all closures.'
      : 'Try a part of the description, an ID, or the name, VIN, plate, or registry number of the asset.';
  };
  return (
    <EmptyState
      title={texts.empty.list}
      action={
        hasAny && (
          <>
            {search !== '' && <Button onPress={onClearSearch}>Clear search</Button>}
            <Button onPress={() => patchView(everyClosure(search))}>Show all closures</Button>
          </>
        )
      }
    >
      {why()}
    </EmptyState>
  );
}
