import { useQuery } from '@tanstack/react-query';
import { asFailure, say } from '~/api';
import { useStreamState, useThing } from '~/live';
import type { Thing } from '~/model/thing';
import type { Shown } from '~/section/shown';
import { thingQuery } from './queries';

/**
 * The asset of a detail or edit screen: from the live picture; read on its own when it is not there (no position yet)
 * or only its compact row is. A deep link waits for the first list before it asks.
 */
export function useShownThing(id: string): Shown<Thing> {
  const live = useThing(id);
  const { phase } = useStreamState();
  const isListed = phase !== 'loading' && phase !== 'idle';
  const query = useQuery({ ...thingQuery(id), enabled: live ? !live.isComplete : isListed });
  const thing = live?.isComplete ? live : (query.data ?? live);
  // Gone from the picture, and the server knows nothing of it: what was read before is no more.
  const isGone = !live && asFailure(query.error).status === 404;
  if (thing && !isGone) return { state: 'shown', row: mergeLivePart(thing, live), isComplete: thing.isComplete };
  if (!query.error) return { state: 'loading' };
  return {
    state: 'failed',
    text: say('things.load', query.error),
    isMissing: asFailure(query.error).status === 404,
    retry: () => void query.refetch(),
  };
}

/** The profile of a single read with the newer live part of the stream. */
function mergeLivePart(thing: Thing, live: Thing | undefined): Thing {
  if (!live || live === thing || live.stampAt < thing.stampAt) return thing;
  const { isComplete: _c, ...rest } = live;
  return live.isComplete ? live : { ...rest, ...profilePart(thing), refused: live.refused ?? thing.refused };
}

function profilePart(t: Thing) {
  return {
    externalId: t.externalId,
    nickname: t.nickname,
    systemId: t.systemId,
    vinNumber: t.vinNumber,
    plateNumber: t.plateNumber,
    registryNumber: t.registryNumber,
    thingSubtypeId: t.thingSubtypeId,
    deviceType: t.deviceType,
    relationships: t.relationships,
    integrations: t.integrations,
    version: t.version,
    isComplete: t.isComplete,
  };
}
