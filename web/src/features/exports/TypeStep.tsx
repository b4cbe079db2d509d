import type { ExportType } from '~/model/export';
import { useWords } from '~/section/words';
import { useProfile } from '~/session';
import { meets } from '~/session/permissions';
import { ChoiceCards } from '~/ui';
import { Head } from './Head';
import { exportTypes } from './words';

/** The first step: what the files have rows of. One that the user may not see elsewhere says so. */
export function TypeStep({ onChoose }: { onChoose: (type: ExportType) => void }) {
  const words = useWords();
  const { permissions } = useProfile();
  return (
    <>
      <Head step={0} title="New export" sentence="What should the files be about?" />
      <ChoiceCards
        onChoose={onChoose}
        cards={exportTypes.map(({ id, Icon, title, holds, needs }) => ({
          id,
          Icon,
          title: title(words),
          sentence: holds(words),
          refusal: meets(permissions, needs) ? undefined : `You don't have access to ${placeOf(id, words.events)}.`,
        }))}
      />
    </>
  );
}

/** What somebody would have to see elsewhere. */
const placeOf = (type: ExportType, events: string): string =>
  ({ point: 'trips', incident: events.toLowerCase(), asset: 'assets', closure: 'closures' })[type];
