import { texts } from '~/api';
import { useRows } from '~/live';
import { Button, EmptyState } from '~/ui';
import { patchView, useZonesView } from './view';

/** Why the list is empty, and what to do about it. */
export function NothingFound({ onClearSearch }: { onClearSearch: () => void }) {
  const search = useZonesView(view => view.search);
  const types = useZonesView(view => view.types);
  const status = useZonesView(view => view.status);
  const hasAny = useRows('zone').length > 0;
  const why = () => {
    if (!hasAny) return 'Your organization has no zones. A zone becomes active while an alerting asset is inside it.';
    if (search !== '') return 'Try a part of the description, the zone ID, or an asset inside.';
    return status === 'active' ? 'No active zones.' : 'There are zones of other types or statuses.';
  };
  return (
    <EmptyState
      title={texts.empty.list}
      action={
        hasAny && (
          <>
            {search !== '' && <Button onPress={onClearSearch}>Clear search</Button>}
            {types && <Button onPress={() => patchView({ types: null })}>Show all types</Button>}
            {status && <Button onPress={() => patchView({ status: null })}>Show all statuses</Button>}
          </>
        )
      }
    >
      {why()}
    </EmptyState>
  );
}
