import { createStore, useStore } from '~/lib/store';
import { preferences } from './preferences';

export type Theme = 'dark' | 'light';

/** The theme in force: the user's choice, else the system's. */
export const theme = createStore<Theme>('dark');

export const useTheme = (): Theme => useStore(theme);

/** Keeps `theme` and <html data-theme> in step with the preference and the system; call once. */
export function followTheme(page: Window & typeof globalThis): void {
  const light = page.matchMedia('(prefers-color-scheme: light)');
  const apply = () => {
    const chosen = preferences.get().theme;
    const next = chosen === 'system' ? (light.matches ? 'light' : 'dark') : chosen;
    page.document.documentElement.dataset.theme = next;
    theme.set(next);
  };
  light.addEventListener('change', apply);
  preferences.subscribe(apply);
  apply();
}
