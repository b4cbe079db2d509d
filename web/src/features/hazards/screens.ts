// The screens of the section: one part of the app.
export { HazardDetail } from './HazardDetail';
export { HazardList } from './HazardList';
