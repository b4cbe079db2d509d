import { texts } from '~/api';
import { Button, EmptyState } from '~/ui';

/** Why a list is empty. */
export interface Nothing {
  /** why, and what to do about it */
  why: string;
  /** what brings rows back: "Clear search"; those that would not are left out */
  ways: readonly (false | null | undefined | readonly [label: string, take: () => void])[];
}

/** Why a list with a search and filters is empty; `clear` is the way out of its search. */
export const nothingOf = (
  { all, clear }: { readonly all: readonly unknown[]; readonly clear: Nothing['ways'][number] },
  why: { readonly none: string; readonly searched: string; readonly filtered: string },
  ways: Nothing['ways'],
): Nothing =>
  all.length === 0 ? { why: why.none, ways: [] } : { why: clear ? why.searched : why.filtered, ways: [clear, ...ways] };

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
