// The screens that make and change zones: one part of the app.
export { ZoneEdit } from './ZoneEdit';
export { ZoneNew } from './ZoneNew';
