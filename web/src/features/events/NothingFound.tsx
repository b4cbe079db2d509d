import { texts } from '~/api';
import { useRows } from '~/live';
import { useWords } from '~/section/words';
import { Button, EmptyState } from '~/ui';
import { patchView, useEventsView } from './view';

/** Why the list is empty, and what to do about it. */
export function NothingFound({ onClearSearch }: { onClearSearch: () => void }) {
  const words = useWords();
  const time = useEventsView(view => view.time);
  const search = useEventsView(view => view.search);
  const hasAny = useRows('location').length > 0;
  const events = words.events.toLowerCase();
  const why = () => {
    if (search !== '') return 'Try another asset, street, or system ID.';
    if (!hasAny) return `There were no ${events} in the last 7 days. A new one appears here as soon as it begins.`;
    return time === 'active' ? `No ${events} are active now.` : `There are older ${events}.`;
  };
  return (
    <EmptyState
      title={texts.empty.list}
      action={
        <>
          {search !== '' && <Button onPress={onClearSearch}>Clear search</Button>}
          {hasAny && time !== 'all' && <Button onPress={() => patchView({ time: 'all' })}>Show all recent</Button>}
        </>
      }
    >
      {why()}
    </EmptyState>
  );
}
