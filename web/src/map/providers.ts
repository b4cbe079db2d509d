import type { MapConfig, MapProvider, MapTypeOption } from './types';

export const BUILTIN = 'builtin';
/** Failed tiles in a row that make a provider count as unreachable. */
const ERRORS_MAX = 4;
/** A shown provider must deliver a tile within this time: a hanging server gives no event at all. */
export const WATCHDOG_MS = 6_000;
export const PROBE_MS = 4_000;
const RETRY_FIRST_MS = 30_000;
const RETRY_LAST_MS = 600_000;

/** How a chosen provider is doing. `attempt` counts failures since it was chosen. */
export type ProviderState =
  | { readonly phase: 'builtin' }
  | { readonly phase: 'probing'; readonly provider: MapProvider; readonly attempt: number }
  | {
      readonly phase: 'shown';
      readonly provider: MapProvider;
      readonly attempt: number;
      readonly errors: number;
      /** Until when the first tile must have come; 0 when it has. */
      readonly tileDueAt: number;
    }
  | { readonly phase: 'down'; readonly provider: MapProvider; readonly attempt: number; readonly retryAt: number };

export type ProviderEvent =
  | { readonly type: 'choose'; readonly provider: MapProvider | null }
  | { readonly type: 'probed'; readonly ok: boolean }
  | { readonly type: 'tile'; readonly ok: boolean }
  /** The clock: the watchdog and the retry are judged. */
  | { readonly type: 'tick' }
  /** The network is back: retry at once. */
  | { readonly type: 'online' };

/** The wait before retry number `attempt` (1, 2, …): 30 s doubling up to 10 min. */
export const retryAfterMs = (attempt: number): number =>
  Math.min(RETRY_LAST_MS, RETRY_FIRST_MS * 2 ** Math.max(0, attempt - 1));

function down(state: { provider: MapProvider; attempt: number }, now: number): ProviderState {
  const attempt = state.attempt + 1;
  return { phase: 'down', provider: state.provider, attempt, retryAt: now + retryAfterMs(attempt) };
}

/** The law of a provider: probe, show, watch, fall back, retry. Pure; returns the same object when nothing changes. */
export function nextProvider(state: ProviderState, event: ProviderEvent, now: number): ProviderState {
  if (event.type === 'choose') {
    return event.provider ? { phase: 'probing', provider: event.provider, attempt: 0 } : { phase: 'builtin' };
  }
  switch (state.phase) {
    case 'builtin':
      return state;
    case 'probing':
      if (event.type !== 'probed') return state;
      if (!event.ok) return down(state, now);
      return {
        phase: 'shown',
        provider: state.provider,
        attempt: state.attempt,
        errors: 0,
        tileDueAt: now + WATCHDOG_MS,
      };
    case 'shown': {
      if (event.type === 'tick') return state.tileDueAt > 0 && now >= state.tileDueAt ? down(state, now) : state;
      if (event.type !== 'tile') return state;
      if (event.ok)
        return state.errors === 0 && state.tileDueAt === 0 && state.attempt === 0
          ? state
          : { ...state, errors: 0, tileDueAt: 0, attempt: 0 };
      const errors = state.errors + 1;
      return errors >= ERRORS_MAX ? down(state, now) : { ...state, errors };
    }
    case 'down': {
      const due = event.type === 'online' || (event.type === 'tick' && now >= state.retryAt);
      return due ? { phase: 'probing', provider: state.provider, attempt: state.attempt } : state;
    }
  }
}

/** The provider that is on the map now. */
export const shownProvider = (state: ProviderState): MapProvider | null =>
  state.phase === 'shown' ? state.provider : null;

/** When the state must be looked at again; null for never. */
export function nextTickAt(state: ProviderState): number | null {
  if (state.phase === 'shown') return state.tileDueAt > 0 ? state.tileDueAt : null;
  return state.phase === 'down' ? state.retryAt : null;
}

const TITLES = { roadmap: 'Roadmap', satellite: 'Satellite', hybrid: 'Hybrid' } as const;

/**
 * The providers on offer. Imagery with our own streets and names over it is a
 * hybrid of its own when a region is there and none was configured.
 */
export function offeredProviders(config: MapConfig): readonly MapProvider[] {
  const { providers, region } = config;
  const imagery = providers.find(p => p.role === 'satellite' && p.kind === 'raster');
  if (!imagery || !region || providers.some(p => p.role === 'hybrid')) return providers;
  return [...providers, { ...imagery, id: `${imagery.id}+streets`, role: 'hybrid', title: TITLES.hybrid }];
}

/** Choices of the type control: the built-in roadmap first. */
export function typeOptions(config: MapConfig): readonly MapTypeOption[] {
  const offered = offeredProviders(config).map(p => ({ id: p.id, title: p.title || TITLES[p.role], role: p.role }));
  return [{ id: BUILTIN, title: TITLES.roadmap, role: 'roadmap' }, ...offered];
}
