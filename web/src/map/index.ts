export { parseMapConfig } from './config';
export { type ControllerOptions, MapController } from './controller';
export { StatusMark, type StatusMarkProps } from './StatusMark';
export { MapTypeControl } from './stage/Controls';
export { LiveChip, type LiveChipProps } from './stage/LiveChip';
export { MapStage, type MapStageProps } from './stage/MapStage';
export { PlaceSearch, type PlaceSearchProps } from './stage/PlaceSearch';
export type { Suggestion } from './stage/SuggestBox';
export type * from './types';
