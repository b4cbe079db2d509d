export { parseMapConfig } from './config';
export { type ControllerOptions, MapController } from './controller';
export { StatusMark, type StatusMarkProps } from './StatusMark';
export { MapTypeControl } from './stage/Controls';
export { LiveChip, type LiveChipProps } from './stage/LiveChip';
export { MapStage, type MapStageProps } from './stage/MapStage';
export { PlaceSearch, type PlaceSearchProps, type Suggestion } from './stage/PlaceSearch';
export type * from './types';
