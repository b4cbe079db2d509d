import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { api, asFailure, type Schemas } from '~/api';
import { useDebounced } from '~/lib/debounce';
import { useStore } from '~/lib/store';
import { useRow } from '~/live';
import type { MarkedLine } from '~/map/types';
import { lineOf } from '~/model/closure';
import { mapHolder } from '~/section/view';
import { useOrganization } from '~/session';
import { type ClosureDraft, closureSchema, type FormContext, writeOf } from './form';

type Check = Schemas['ClosureCheck'];
export type Conflict = Check['conflicts'][number];

/** What the server finds of a draft: nothing until it is complete enough to be looked at. */
export interface Checked {
  /** the newest answer; perhaps still that of an earlier draft */
  check: Check | undefined;
  /** `check` is about the draft as it stands */
  isFresh: boolean;
  isAsking: boolean;
  failure: Error | null;
  retry: () => void;
}

interface Asks {
  form: UseFormReturn<ClosureDraft>;
  id: string;
  /** of a closure that is edited */
  organizationId: string | undefined;
  context: FormContext;
}

/** Asks what the closure of a form would run into, once the hands rest. Saving never waits for it. */
export function useCheck({ form, id, organizationId, context }: Asks): Checked {
  const own = useOrganization().id;
  const [schema] = useState(() => closureSchema(context));
  const values = useWatch({ control: form.control }) as ClosureDraft;
  const said = completed(values, schema);
  return useChecked(said && { ...writeOf(said, said, context), uuid: id, organization_id: organizationId ?? own });
}

/** Asks what a closure would run into if it were saved so; null: there is nothing to ask yet. */
export function useChecked(body: Schemas['ClosureWrite'] | null): Checked {
  const now = body ? JSON.stringify(body) : '';
  const settled = useDebounced(now);
  const isWanted = settled !== '' && settled === now;
  const query = useQuery({
    queryKey: ['closure check', settled],
    queryFn: ({ signal }) =>
      api.data('POST /organization/closure/check', { body: JSON.parse(settled) as Schemas['ClosureWrite'], signal }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return {
    check: now === '' ? undefined : query.data,
    isFresh: isWanted && query.isSuccess && !query.isPlaceholderData,
    isAsking: now !== '' && (!isWanted || query.isFetching),
    failure: isWanted && !query.isFetching ? query.error : null,
    retry: () => void query.refetch(),
  };
}

/** The draft as far as it can be checked: what is not written yet, and is not what a check looks at, does not stop it. */
function completed(values: ClosureDraft, schema: ReturnType<typeof closureSchema>): ClosureDraft | null {
  if (values.calculated_route === '') return null;
  const said = { ...values, description: values.description.trim() || 'Closure' };
  return [said, { ...said, is_wzdx_compliant: false }].find(one => schema.safeParse(one).success) ?? null;
}

/** Why there is no answer; '' of a refusal that stands at its field when it is saved. */
export const failureText = (error: unknown): string => {
  const { status } = asFailure(error);
  return `Couldn't check for overlaps${status === 422 ? ': a field has an error' : ''}. You can still save.`;
};

/** Draws the stretches that overlap on the map, and the whole of the other closure that is pointed at. */
export function useMarked(conflicts: readonly Conflict[], hot: string | null): void {
  const map = useStore(mapHolder);
  const other = useRow('closure', hot ?? '');
  useEffect(() => {
    if (!map || conflicts.length === 0) return;
    const stretches = conflicts.flatMap(({ id, overlap }) =>
      overlap.lines.map((points): MarkedLine => ({ points, isHot: id === hot })),
    );
    const whole: MarkedLine[] = other ? [{ points: lineOf(other), isHot: true, isOther: true }] : [];
    map.setMarked([...whole, ...stretches]);
    return () => map.setMarked([]);
  }, [map, conflicts, hot, other]);
}
