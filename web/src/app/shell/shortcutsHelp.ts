import { createStore } from '~/lib/store';

/** Whether the help about keys is open. */
export const shortcutsHelp = createStore(false);
