import type { StyleSpecification } from 'maplibre-gl';
import { nextProvider, nextTickAt, PROBE_MS, type ProviderEvent, type ProviderState } from './providers';
import type { MapProvider } from './types';

/** The style of a provider of kind style; null for raster tiles. Throws when it cannot be had. */
export type Probe = (provider: MapProvider, signal: AbortSignal) => Promise<StyleSpecification | null>;

/** Fetches a provider's style, or one tile of it (z0): MapLibre itself never times out. */
export const fetchProbe: Probe = async (provider, signal) => {
  const url =
    provider.kind === 'style' ? provider.url : provider.url.replace('{z}', '0').replace('{x}', '0').replace('{y}', '0');
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`provider answered ${response.status}`);
  return provider.kind === 'style' ? ((await response.json()) as StyleSpecification) : null;
};

/** Runs the provider law against real time and the network. */
export class ProviderSwitch {
  state: ProviderState = { phase: 'builtin' };
  /** Style of the shown provider when it is of kind style. */
  style: StyleSpecification | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #probing: AbortController | null = null;
  readonly #probe: Probe;
  readonly #changed: (state: ProviderState) => void;
  readonly #clock: () => number;

  constructor(changed: (state: ProviderState) => void, clock: () => number = Date.now, probe: Probe = fetchProbe) {
    this.#changed = changed;
    this.#clock = clock;
    this.#probe = probe;
  }

  send(event: ProviderEvent): void {
    const next = nextProvider(this.state, event, this.#clock());
    if (next === this.state) return;
    const phaseChanged = next.phase !== this.state.phase || event.type === 'choose';
    this.state = next;
    this.#wake();
    if (!phaseChanged) return;
    this.#probing?.abort();
    if (next.phase !== 'shown') this.style = null;
    if (next.phase === 'probing') void this.#runProbe(next.provider);
    this.#changed(next);
  }

  async #runProbe(provider: MapProvider): Promise<void> {
    const abort = new AbortController();
    this.#probing = abort;
    try {
      const style = await this.#probe(provider, AbortSignal.any([abort.signal, AbortSignal.timeout(PROBE_MS)]));
      if (abort.signal.aborted) return;
      this.style = style;
      this.send({ type: 'probed', ok: true });
    } catch {
      if (!abort.signal.aborted) this.send({ type: 'probed', ok: false });
    }
  }

  #wake(): void {
    clearTimeout(this.#timer);
    const at = nextTickAt(this.state);
    if (at !== null) this.#timer = setTimeout(() => this.send({ type: 'tick' }), Math.max(0, at - this.#clock()));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#probing?.abort();
  }
}
