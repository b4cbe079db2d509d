// The screens of the section: one part of the app.
export { TripDetail } from './TripDetail';
export { TripList } from './TripList';
export { TripsFrame } from './TripsFrame';
