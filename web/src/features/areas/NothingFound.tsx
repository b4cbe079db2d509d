import { texts } from '~/api';
import { useRows } from '~/live';
import { Button, EmptyState } from '~/ui';
import { patchView, useAreasView } from './view';

/** Why the list is empty, and what to do about it. */
export function NothingFound({ onClearSearch }: { onClearSearch: () => void }) {
  const search = useAreasView(view => view.search);
  const types = useAreasView(view => view.types);
  const hasAny = useRows('area').length > 0;
  const why = () => {
    if (!hasAny)
      return 'Your organization has no areas. Points of interest, stations, and exclusion zones appear here.';
    return search === '' ? 'There are areas of other types.' : 'Try another part of the name.';
  };
  return (
    <EmptyState
      title={texts.empty.list}
      action={
        hasAny && (
          <>
            {search !== '' && <Button onPress={onClearSearch}>Clear search</Button>}
            {types && <Button onPress={() => patchView({ types: null })}>Show all types</Button>}
          </>
        )
      }
    >
      {why()}
    </EmptyState>
  );
}
