import { pathsOf } from '~/section/paths';

/** The addresses of events. */
export const EVENTS = pathsOf('events');
