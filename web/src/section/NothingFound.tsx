import { texts } from '~/api';
import { Button, EmptyState } from '~/ui';

/** Why a list is empty. */
export interface Nothing {
  /** why, and what to do about it */
  why: string;
  /** what brings rows back: "Clear search"; those that would not are left out */
  ways: readonly (false | null | undefined | readonly [label: string, take: () => void])[];
}

/** Stands in the place of a list that is empty. */
export function NothingFound({ ways, why }: Nothing) {
  const offered = ways.filter(way => !!way);
  return (
    <EmptyState
      title={texts.empty.list}
      action={
        offered.length > 0 &&
        offered.map(([label, take]) => (
          <Button key={label} onPress={take}>
            {label}
          </Button>
        ))
      }
    >
      {why}
    </EmptyState>
  );
}
