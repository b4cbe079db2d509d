import { texts } from '~/api';
import { createStore } from '~/lib/store';

/** A window that only wants to be read; OK may try again. */
export interface AppAlert {
  title: string;
  text: string;
  onOk?: (() => void) | undefined;
}

/** The window that stands at present. */
export const appAlert = createStore<AppAlert | undefined>(undefined);

/** Shows the default alert (requirements 8.update): for what fails outside of any form. */
export function showAlert(alert: Partial<AppAlert> = {}): void {
  appAlert.set({ title: texts.update.alertTitle, text: texts.update.alertText, onOk: alert.onOk, ...alert });
}
