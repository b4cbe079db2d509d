import { useMemo } from 'react';
import { type Words, wordsOf } from '~/model/organization';
import { currentOrganization, useOrganization } from '~/session';

/** The words, units and time zone of the organization that is looked at, outside React. */
export const currentWords = (): Words => wordsOf(currentOrganization());

/** The words, units and time zone of the organization that is looked at. */
export function useWords(): Words {
  const organization = useOrganization();
  return useMemo(() => wordsOf(organization), [organization]);
}
