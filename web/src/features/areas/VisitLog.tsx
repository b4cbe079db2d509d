import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, type Schemas, say } from '~/api';
import { useNow } from '~/live';
import { countText, durationText, whenText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { DetailSection } from '~/section/parts';
import { useOrganization } from '~/session';
import { Button, ErrorNotice, Skeleton, SkeletonBar } from '~/ui';
import styles from './areas.module.css';
import { foldedVisits, PASS_MS, type Passed } from './passed';
import { followStays, subscribeStays } from './stays';

const PER_PAGE = 20;

/** Who was at the station, newest first: arrived, left, stayed. It is read anew when somebody comes or leaves. */
export function VisitLog({ id }: { id: string }) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['visits', id],
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /organization/exclusion_zone/{id}/visits', {
        path: { id },
        query: { page: pageParam, per_page: PER_PAGE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: (last, _, page) => (last.meta.total > page * PER_PAGE ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    const unfollow = followStays();
    const off = subscribeStays(() => void refetch());
    return () => {
      off();
      unfollow();
    };
  }, [refetch]);
  const rows = data?.pages.flatMap(page => page.data);
  return (
    <DetailSection title="Log">
      {error && !rows && <ErrorNotice onRetry={() => void refetch()}>{say('area.visits', error)}</ErrorNotice>}
      {!error && !rows && (
        <Skeleton label="Loading log">
          <SkeletonBar width="80%" />
          <SkeletonBar width="65%" />
        </Skeleton>
      )}
      {rows?.length === 0 && <p className={styles.none}>No asset has been here yet.</p>}
      {rows && rows.length > 0 && <Stays rows={rows} />}
      {hasNextPage && (
        <Button size="small" variant="ghost" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </DetailSection>
  );
}

function Stays({ rows }: { rows: readonly Schemas['Visit'][] }) {
  return (
    <table className={styles.log}>
      <thead>
        <tr>
          <th scope="col">Asset</th>
          <th scope="col">Arrived</th>
          <th scope="col">Left</th>
          <th scope="col">Stayed</th>
        </tr>
      </thead>
      <tbody>
        {foldedVisits(rows).map(one =>
          'passes' in one ? (
            <Passes key={`passes/${one.passes.at(-1)?.arrived_at}`} {...one} />
          ) : (
            <Stay key={`${one.thing_id}/${one.arrived_at}`} row={one} />
          ),
        )}
      </tbody>
    </table>
  );
}

/** Assets that drove past, in one line that tells which when it is pressed. */
function Passes({ passes }: Passed) {
  const { timezone } = useOrganization();
  const now = useNow();
  const [isOpen, setOpen] = useState(false);
  const [newest] = passes;
  const oldest = passes.at(-1);
  return (
    <>
      <tr>
        <th scope="row">
          <Button size="small" variant="ghost" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {countText(passes.length)} drive-bys
          </Button>
        </th>
        <td className="num">{whenText(instantOf(oldest?.arrived_at), timezone, now)}</td>
        <td className="num">{whenText(instantOf(newest?.left_at), timezone, now)}</td>
        <td>{`< ${PASS_MS / 1000} s each`}</td>
      </tr>
      {isOpen && passes.map(row => <Stay key={`${row.thing_id}/${row.arrived_at}`} row={row} />)}
    </>
  );
}

function Stay({ row }: { row: Schemas['Visit'] }) {
  const { timezone } = useOrganization();
  const now = useNow();
  const [arrived, left] = [instantOf(row.arrived_at), instantOf(row.left_at)];
  return (
    <tr>
      <th scope="row">{row.nickname || row.haas_id.toUpperCase()}</th>
      <td className="num">{whenText(arrived, timezone, now)}</td>
      <td className="num">{left === 0 ? 'Still here' : whenText(left, timezone, now)}</td>
      <td className="num">{durationText((left || now) - arrived)}</td>
    </tr>
  );
}
