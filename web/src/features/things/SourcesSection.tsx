import enums from '@catalog/enums.json';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import { askedId } from '~/lib/uuid';
import { useNow } from '~/live';
import { agoText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { DetailSection } from '~/section/parts';
import { KeyValues, Sub, Tag } from '~/ui';

type Source = Schemas['ThingSource'];

/** How often the sources are asked for again while they are shown: the stream does not have them. */
const REFRESH_MS = 10_000;

/** A report that came so long after its time is late: when it came is said, too. */
const LATE_MS = 60_000;

const sourcesQuery = (id: string) =>
  queryOptions({
    queryKey: ['thing', id, 'sources'],
    queryFn: async ({ signal }) =>
      (await api.data('GET /things/{id}', { path: { id: askedId(id) }, signal })).sources ?? [],
    staleTime: 0,
    gcTime: 0,
    refetchInterval: query => ((query.state.data?.length ?? 0) > 1 ? REFRESH_MS : false),
  });

const wordOf = (list: readonly { name: string; displayName: string }[], name: string) =>
  list.find(one => one.name === name)?.displayName ?? name;

const labelOf = ({ source, name }: Source) => [wordOf(enums.reportSources, source), name].filter(Boolean).join(' · ');

/** By which ways an asset's reports come, whose position is shown, and why: only where there are several. */
export function SourcesSection({ id }: { id: string }) {
  const { data = [] } = useQuery(sourcesQuery(id));
  const now = useNow();
  if (data.length < 2) return null;
  return (
    <DetailSection title="Sources">
      <KeyValues rows={data.map(one => [labelOf(one), <Value key={one.source} row={one} now={now} />] as const)} />
    </DetailSection>
  );
}

function Value({ row, now }: { row: Source; now: number }) {
  const [at, received] = [instantOf(row.last_at), instantOf(row.received_at)];
  const isLate = received - at > LATE_MS;
  return (
    <>
      {row.is_shown && <Tag>Shown</Tag>} <span className="num">{agoText(at, now)}</span>
      <Sub>{wordOf(enums.sourceReasons, row.why)}</Sub>
      {isLate && <Sub>It came {agoText(received, now)}</Sub>}
    </>
  );
}
