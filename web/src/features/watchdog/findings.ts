import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import * as z from 'zod/mini';
import { api } from '~/api';
import { liveStore, useRows, useStreamState } from '~/live';
import { type Finding, findingOfWire, isOpenFinding, mergedFindings } from '~/model/finding';
import { clockText } from '~/model/recurrence';
import { WATCHDOG_TAB } from '~/section/finding';
import { useOrganization } from '~/session';
import type { Watchdog } from './watchdog';

const POLL_MS = limits.stream.pollMs.value;
const REFRESH_MS = limits.lists.refreshMs.value;
/** No list goes further back. */
export const LISTED = limits.watchdog.listed.value;
/** So many open ones are read at once, and so many ended ones. */
const OPEN_PER_PAGE = 500;
const PER_PAGE = 50;

/** What of the list is shown; '' for all. */
export interface Filter {
  rule: string;
  asset: string;
}

const filterSchema = z.object({
  rule: z.catch(z.enum(enums.watchdogRules.map(({ name }) => name)), ''),
  asset: z.catch(z.uuid(), ''),
});

/** The filter that the address says, whoever wrote it, and how to write another one. */
export function useFilter(): [Filter, (change: Partial<Filter>) => void] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { rule, asset } = filterSchema.parse(search);
  const filter = useMemo(() => ({ rule, asset }), [rule, asset]);
  const change = (part: Partial<Filter>) => {
    const said = Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '');
    const query = new URLSearchParams(said).toString();
    void navigate({ href: query ? `${pathname}?${query}` : pathname, replace: true });
  };
  return [filter, change];
}

const passes = (filter: Filter) => (finding: Finding) =>
  (filter.rule === '' || finding.rule === filter.rule) && (filter.asset === '' || finding.thingId === filter.asset);

const KEY = [WATCHDOG_TAB, 'findings'];

const askedFor = (organizationId: string, { rule, asset }: Filter) => ({
  'org_ids[]': [organizationId],
  ...(rule && { rule }),
  ...(asset && { thing_id: asset }),
});

/** All open ones, page by page. */
async function openFindings(query: ReturnType<typeof askedFor>, signal: AbortSignal): Promise<Finding[]> {
  const rows: Finding[] = [];
  for (let page = 1; ; page += 1) {
    const asked = { ...query, state: 'open', page, per_page: OPEN_PER_PAGE } as const;
    const { data, meta } = await api.request('GET /organization/findings', { query: asked, signal });
    rows.push(...data.map(findingOfWire));
    if (data.length === 0 || page * OPEN_PER_PAGE >= Math.min(meta.total, LISTED)) return rows;
  }
}

/**
 * The open findings and the ended ones: what the lists answered, and what the stream says of them since. Without the
 * stream the lists are asked again as often as the picture is.
 */
export function useFindings(filter: Filter) {
  const { id } = useOrganization();
  const heard = useRows('finding');
  const isLive = useStreamState().phase === 'live';
  const refetchInterval = isLive ? REFRESH_MS : POLL_MS;
  const query = askedFor(id, filter);
  const open = useQuery({
    queryKey: [...KEY, 'open', id, filter],
    queryFn: ({ signal }) => openFindings(query, signal),
    refetchInterval,
  });
  const ended = useInfiniteQuery({
    queryKey: [...KEY, 'ended', id, filter],
    queryFn: async ({ pageParam: page, signal }) => {
      const asked = { ...query, state: 'ended', page, per_page: PER_PAGE } as const;
      const { data, meta } = await api.request('GET /organization/findings', { query: asked, signal });
      return { rows: data.map(findingOfWire), total: meta.total };
    },
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) =>
      pages.length * PER_PAGE < Math.min(total, LISTED) ? pages.length + 1 : undefined,
    refetchInterval,
  });
  const all = useMemo(() => {
    const past = ended.data?.pages.flatMap(page => page.rows) ?? [];
    // After `heard` changed: an open one that has gone from the picture is open no more.
    const still = (open.data ?? []).filter(({ id: one }) => liveStore.of('finding').goneAt(one) === 0);
    return mergedFindings(still, past, heard.filter(passes(filter)));
  }, [open.data, ended.data, heard, filter]);
  useFresh(open.data?.some(({ id: one }) => liveStore.of('finding').goneAt(one) > 0) ?? false);
  return {
    heard,
    open,
    ended,
    openRows: open.data && all.filter(isOpenFinding),
    endedRows: ended.data && all.filter(finding => !isOpenFinding(finding)),
  };
}

/** What an open one of a list has become is only known to the lists, once the picture has let it go. */
function useFresh(isStale: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (isStale) void queries.invalidateQueries({ queryKey: KEY });
  }, [isStale, queries]);
}

/** The assets that something was found about, by name, and the chosen one whatever it is. */
export function assetOptions(findings: readonly Finding[], chosen: string): { id: string; label: string }[] {
  const names = new Map(findings.map(({ thingId, thingName }) => [thingId, thingName]));
  if (chosen !== '' && !names.has(chosen)) names.set(chosen, 'This asset');
  names.delete('');
  return [...names]
    .map(([id, label]) => ({ id, label }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }));
}

/** Why nobody was mailed about a finding, or when somebody will be; '' where somebody was. */
export function unmailedText(finding: Finding, watchdog: Pick<Watchdog, 'quiet_to'> | undefined): string {
  if (finding.isTrial) return 'Nobody: on trial';
  if (finding.mailed.length > 0) return '';
  if (!finding.isHeld) return 'Nobody';
  if (!isOpenFinding(finding)) return 'Nobody: it ended in quiet hours';
  const at = watchdog?.quiet_to;
  return at ? `Will be mailed at ${clockText(at)}` : 'Will be mailed';
}
