import limits from '@catalog/limits.json';
import catalog from '@catalog/texts.json';
import { DEFAULT_CONFIG } from './config';
import type { BaseLook, MapEngine } from './engine';
import { BUILTIN, offeredProviders, type ProviderState, shownProvider, typeOptions } from './providers';
import { attributions } from './style';
import { ProviderSwitch } from './switcher';
import type { LatLng, LatLngBounds, MapConfig, MapState, ThemeName } from './types';

/** An imported region is shown whole before anyone has chosen a place. */
const REGION_ZOOM = 9;

export interface BaseStyleHost {
  engine(): MapEngine | null;
  state(): MapState;
  patch(change: Partial<MapState>): void;
  /** Where the organization is; null where nobody knows. */
  readonly home: LatLng | null;
}

/** What lies below our layers: theme, tiles, map type and the provider behind it. */
export class BaseStyle {
  config: MapConfig = DEFAULT_CONFIG;
  theme: ThemeName;
  readonly providers: ProviderSwitch;
  readonly #host: BaseStyleHost;

  constructor(theme: ThemeName, host: BaseStyleHost) {
    this.theme = theme;
    this.#host = host;
    this.providers = new ProviderSwitch(state => this.#providerChanged(state));
  }

  look(): BaseLook {
    const provider = shownProvider(this.providers.state);
    return { theme: this.theme, config: this.config, provider, providerStyle: this.providers.style };
  }

  #restyle(): void {
    const look = this.look();
    this.#host.engine()?.setLook(look);
    this.#host.patch({ attribution: attributions(this.config, look.provider, look.provider?.role ?? 'roadmap') });
  }

  #providerChanged(state: ProviderState): void {
    const notice = this.#host.state().notice;
    if (state.phase === 'down') {
      this.#host.patch({ notice: { code: 'provider_unreachable', text: catalog.texts.map.providerUnreachable } });
    } else if (state.phase !== 'probing' && notice?.code === 'provider_unreachable') {
      this.#host.patch({ notice: null });
    }
    this.#restyle();
  }

  setConfig(config: MapConfig): void {
    this.config = config;
    const types = typeOptions(config);
    const now = this.#host.state().type;
    this.#host.patch({
      hasWords: config.hasWords,
      hasRoads: config.hasRoads,
      types,
      type: types.some(option => option.id === now) ? now : BUILTIN,
    });
    this.#restyle();
  }

  setTheme(theme: ThemeName): void {
    if (theme === this.theme) return;
    this.theme = theme;
    this.#restyle();
  }

  setType(id: string): void {
    if (id === this.#host.state().type) return;
    this.#host.patch({ type: id });
    const provider = offeredProviders(this.config).find(offered => offered.id === id) ?? null;
    this.providers.send({ type: 'choose', provider });
  }

  /**
   * Where the map begins: at the organization's own place where there are streets to see, else the middle of the
   * imported region, else the country around that place; null without any of these.
   */
  firstView(): { center: LatLng; zoom: number } | null {
    const { home } = this.#host;
    const bounds = this.config.region?.bounds;
    if (!bounds) return home && { center: home, zoom: REGION_ZOOM };
    if (home && containsPlace(bounds, home)) return { center: home, zoom: limits.map.defaultZoom.value };
    const center = { lat: (bounds.south + bounds.north) / 2, lng: (bounds.west + bounds.east) / 2 };
    return { center, zoom: REGION_ZOOM };
  }
}

const containsPlace = (box: LatLngBounds, { lat, lng }: LatLng): boolean =>
  lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east;
