import { createStore } from '~/lib/store';

/** The address typed on one public screen, for the next one (sign-in to forgot password and back). */
export const carriedEmail = createStore('');
