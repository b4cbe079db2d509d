import { texts } from '~/api';
import { Button, EmptyState } from '~/ui';

interface NothingFoundProps {
  /** what brings rows back: "Clear search"; those that would not are left out */
  ways: readonly (false | null | undefined | readonly [label: string, take: () => void])[];
  /** why the list is empty, and what to do about it */
  children: string;
}

/** Stands in the place of a list that is empty. */
export function NothingFound({ ways, children }: NothingFoundProps) {
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
      {children}
    </EmptyState>
  );
}
