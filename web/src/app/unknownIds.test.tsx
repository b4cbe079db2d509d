// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, it, vi } from 'vitest';
import { type AnswerName, replayed } from '~/api/recorded';
import { AREAS } from '~/features/areas/noun';
import { CLOSURES } from '~/features/closures/noun';
import { useShownEvent } from '~/features/events/queries';
import { HAZARDS } from '~/features/hazards/noun';
import { useShownThing } from '~/features/things/useShownThing';
import { ZONES } from '~/features/zones/noun';
import { stubBrowser } from '~/lib/testing';
import { liveStore, streamStore } from '~/live';
import { T0 } from '~/live/testing';
import type { Shown } from '~/section/shown';

afterEach(() => vi.unstubAllGlobals());

const NOBODYS = '00000000-0000-0000-0000-000000000000';
type Case = readonly [
  noun: string,
  use: (id: string) => Shown<unknown>,
  path: string,
  answer: AnswerName,
  text: string,
];
const cases: readonly Case[] = [
  ['asset', useShownThing, '/api/things', 'getThing.not_found', 'Asset not found'],
  ['event', useShownEvent, '/api/locations', 'getLocation.not_found', 'Location not found'],
  ['area', AREAS.useShown, '/api/organization/exclusion_zone', 'getArea.not_found', 'Area not found'],
  ['zone', ZONES.useShown, '/api/organization/alerting_zones', 'getZone.not_found', 'Zone not found'],
  ['hazard', HAZARDS.useShown, '/api/organization/hazards', 'getHazard.not_found', 'Hazard not found'],
  ['closure', CLOSURES.useShown, '/api/organization/closure', 'getClosure.not_found', 'Closure not found'],
];

function Probe({ use, note }: { use: () => Shown<unknown>; note: (shown: Shown<unknown>) => void }) {
  note(use());
  return null;
}

it.each(cases)('says of an address without an id of any %s what it says of an unknown one', async (...parts) => {
  const [, use, path, answer, text] = parts;
  stubBrowser();
  liveStore.reset('o1');
  liveStore.applyRows([], T0, T0, true);
  streamStore.patch({ phase: 'live', asOf: T0, failure: undefined });
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://x').pathname);
    return replayed(answer);
  });
  const seen: Shown<unknown>[] = [];
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const show = (id: string) =>
    root.render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Probe key={id} use={() => use(id)} note={shown => seen.push(shown)} />
      </QueryClientProvider>,
    );
  const unknown = '01900000-0000-7000-8000-00000000beef';
  for (const id of ['nonsense', '../users', unknown]) {
    show(id);
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ state: 'failed', isMissing: true, text }));
    seen.splice(0);
  }
  expect(asked).toEqual([`${path}/${NOBODYS}`, `${path}/${NOBODYS}`, `${path}/${unknown}`]);
  root.unmount();
});
