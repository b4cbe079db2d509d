import * as z from 'zod/mini';
import { localStore, readJson, writeJson } from '~/lib/storage';
import { createStore, useStore } from '~/lib/store';

/** Key in the browser's lasting storage; public/first.js reads `theme` from it before the app has loaded. */
const PREFERENCES_KEY = 'lightbar.preferences';
/** Grows when a stored field changes its meaning. */
const VERSION = 1;

/** Each field falls back to its default by itself, so that one damaged value does not cost the others. */
/** What can stand behind the assets on the maps of the live sections, by section. */
export const LAYERS = ['closures', 'hazards', 'areas', 'zones'] as const;
export type LayerId = (typeof LAYERS)[number];

const schema = z.object({
  showOffline: z.catch(z.boolean(), true),
  hideOfflineNotice: z.catch(z.boolean(), false),
  /** Map views whose instruction dialog is not wanted again. */
  hiddenMapInstructions: z.catch(z.array(z.string()), []),
  alwaysShowSupport: z.catch(z.boolean(), false),
  groupView: z.catch(z.boolean(), true),
  densityView: z.catch(z.boolean(), false),
  /** Stations stand on the map in every section, and what is at one is folded into its marker. */
  stationView: z.catch(z.boolean(), false),
  hideSupportDialog: z.catch(z.boolean(), false),
  theme: z.catch(z.enum(['system', 'dark', 'light']), 'system'),
  sound: z.catch(z.boolean(), false),
  /** Single-key shortcuts (WCAG 2.1.4: they can be switched off). */
  shortcuts: z.catch(z.boolean(), true),
  /** Id of a map type; one that is no longer offered waits until it is again. */
  mapType: z.catch(z.string(), 'roadmap'),
  /** The layers that are on: what may close a road unless somebody says otherwise. */
  layers: z.catch(z.array(z.enum(LAYERS)), ['closures', 'hazards']),
});

/** In `hiddenMapInstructions` it stands for all map views. */
export const EVERY_MAP_VIEW = '*';

/** What a user has chosen in this browser (requirements 3.pref; theme and below are ours). */
export type Preferences = z.infer<typeof schema>;

/** Reads whatever was stored: unknown fields go, missing or damaged ones get their default. */
export function parsePreferences(stored: unknown): Preferences {
  const fields = typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {};
  return schema.parse({ ...blank, ...fields });
}

// A key that is absent is not caught by its field; present and undefined is.
const blank = Object.fromEntries(Object.keys(schema.shape).map(name => [name, undefined]));

export const preferences = createStore<Preferences>(parsePreferences(readJson(localStore(), PREFERENCES_KEY)));

/** Changes one preference, here and for the next visit. */
export function setPreference<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  const next = { ...preferences.get(), [name]: value };
  preferences.set(next);
  writeJson(localStore(), PREFERENCES_KEY, { version: VERSION, ...next });
}

/** One preference in a component. */
export function usePreference<K extends keyof Preferences>(name: K): Preferences[K] {
  return useStore(preferences, all => all[name]);
}

/** Follows changes made in other tabs; call once. */
export function followPreferences(page: Pick<Window, 'addEventListener'>): void {
  page.addEventListener('storage', event => {
    if (event.key === PREFERENCES_KEY) preferences.set(parsePreferences(readJson(localStore(), PREFERENCES_KEY)));
  });
}
