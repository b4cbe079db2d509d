import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { whenThere } from '~/lib/chunk';
import { isBehind, liveStore, seenTypes, streamStore } from '~/live';
import { runLive } from '~/section/live';
import { OWN } from '~/section/own';
import type { SectionRow } from '~/section/section';
import { can, currentOrganization, lower, raise, session } from '~/session';
import { queries } from '../queries';
import { announceArrivals } from './arrivals';

/**
 * Keeps the live picture of the organization that is looked at while the shell stands, its filters in the address, and
 * flags the tab's title.
 */
export function useLivePicture(): void {
  useEffect(
    () =>
      runLive(
        { subscribe: session.state.subscribe, subscription },
        { token: () => session.accessToken(), onRefused: checkAccess, onAccess: readOwn },
      ),
    [],
  );
  const router = useRouter();
  useEffect(() => followAddresses(router), [router]);
  useEffect(flagTitle, []);
  useEffect(announceArrivals, []);
}

/** Sections whose addresses say more than the screen are kept the same as theirs. */
function followAddresses(router: AnyRouter): () => void {
  const { sections }: { sections: readonly SectionRow[] } = router.options.context;
  const ends: (() => void)[] = [];
  for (const { address } of sections) {
    if (address) ends.push(whenThere(address, follow => ends.push(follow(router))));
  }
  return () => {
    for (const end of ends) end();
  };
}

const checkAccess = () => void session.checkAccess();

/** The profile is another one, or what its user has set elsewhere. */
function readOwn(): void {
  checkAccess();
  void queries.invalidateQueries({ queryKey: [OWN] });
}

function subscription() {
  const state = session.state.get();
  // Asked for only where it may be seen (requirements 6.poll): else every read would be refused, again and again.
  if (state.phase !== 'signedIn' || !can('VIEW_THINGS')) return undefined;
  const { id, isLarge } = currentOrganization();
  return { organizationId: id, isLarge, sees: seenTypes(can), awareness: state.profile.awareness };
}

/** A flag for new units on scene, until somebody looks, and for a lost stream, until it is back. */
function flagTitle(): () => void {
  const seen = () => document.visibilityState === 'visible' && lower('scene');
  const signs = ['visibilitychange', 'pointerdown', 'keydown'] as const;
  for (const sign of signs) document.addEventListener(sign, seen);
  const stopArrivals = liveStore.subscribeArrivals(arrivals => {
    const [first, ...others] = arrivals;
    if (first) raise('scene', others.length > 0 ? `${arrivals.length} on scene` : `${first.name} on scene`);
  });
  let lost = false;
  const stopStream = streamStore.subscribe(() => {
    const behind = isBehind(streamStore.get());
    if (behind === lost) return;
    lost = behind;
    if (behind) raise('lost', 'Connection lost');
    else lower('lost');
  });
  return () => {
    for (const sign of signs) document.removeEventListener(sign, seen);
    stopArrivals();
    stopStream();
    lower('scene');
    lower('lost');
  };
}
