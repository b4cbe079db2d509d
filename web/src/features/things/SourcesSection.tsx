import enums from '@catalog/enums.json';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import { askedId } from '~/lib/uuid';
import { useNow } from '~/live';
import { agoText } from '~/model/format';
import { instantOf } from '~/model/instant';
import type { Thing } from '~/model/thing';
import { DetailSection } from '~/section/parts';
import { KeyValues, Sub, Tag } from '~/ui';

type Source = Schemas['ThingSource'];

/** How often the sources are asked for again while they are shown: the stream does not have them. */
const REFRESH_MS = 10_000;

/** A report that came so long after its time is late: when it came is said, too. */
const LATE_MS = 60_000;

const sourcesQuery = (thing: Sourced) =>
  queryOptions({
    queryKey: ['thing', thing.id, 'sources', thing.hasPosition, thing.integrations.length],
    queryFn: async ({ signal }) =>
      (await api.data('GET /things/{id}', { path: { id: askedId(thing.id) }, signal })).sources ?? [],
    staleTime: 0,
    gcTime: 0,
    refetchInterval: query => (areSeveral(thing, query.state.data ?? []) ? REFRESH_MS : false),
  });

type Sourced = Pick<Thing, 'id' | 'hasPosition' | 'integrations'>;

/** Several sources were heard of, or there may be: after a restart those are not known that have not reported since. */
const areSeveral = (thing: Sourced, known: readonly Source[]) =>
  known.length > 1 || (thing.integrations.length > 0 && isUnknown(thing, known));

/** Its position is shown, but nobody knows whose it is: stored reports don't say who sent them. */
const isUnknown = ({ hasPosition }: Sourced, known: readonly Source[]) =>
  hasPosition && !known.some(one => one.is_shown);

const wordOf = (list: readonly { name: string; displayName: string }[], name: string) =>
  list.find(one => one.name === name)?.displayName ?? name;

const labelOf = ({ source, name }: Source) => [wordOf(enums.reportSources, source), name].filter(Boolean).join(' · ');

/** By which ways an asset's reports come, whose position is shown, and why: only where there are several. */
export function SourcesSection({ thing }: { thing: Thing }) {
  const { data } = useQuery(sourcesQuery(thing));
  const now = useNow();
  if (!data || !areSeveral(thing, data)) return null;
  const isOpen = isUnknown(thing, data);
  return (
    <DetailSection title="Sources">
      {isOpen && (
        <Sub>
          Which source the shown position is from is not known since the server restarted. The next report tells.
        </Sub>
      )}
      {data.length > 0 && (
        <KeyValues
          rows={data.map(
            one => [labelOf(one), <Value key={one.source} row={one} now={now} isOpen={isOpen} />] as const,
          )}
        />
      )}
    </DetailSection>
  );
}

/** Why a source is not shown is only said where it is known which one is. */
function Value({ row, now, isOpen }: { row: Source; now: number; isOpen: boolean }) {
  const [at, received] = [instantOf(row.last_at), instantOf(row.received_at)];
  const isLate = received - at > LATE_MS;
  return (
    <>
      {row.is_shown && <Tag>Shown</Tag>} <span className="num">{agoText(at, now)}</span>
      {!isOpen && <Sub>{wordOf(enums.sourceReasons, row.why)}</Sub>}
      {isLate && <Sub>It came {agoText(received, now)}</Sub>}
    </>
  );
}
