// The screens that everybody sees who sees zones: one part of the app.
export { ZoneDetail } from './ZoneDetail';
export { ZoneList } from './ZoneList';
