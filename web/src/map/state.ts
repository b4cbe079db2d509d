import { DEFAULT_CONFIG } from './config';
import { BUILTIN, typeOptions } from './providers';
import { attributions } from './style';
import type { MapState } from './types';

/** The map before anything was asked of it. */
export const FIRST_STATE: MapState = {
  phase: 'loading',
  hadMap: false,
  expectsPlace: false,
  zoom: 0,
  types: typeOptions(DEFAULT_CONFIG),
  type: BUILTIN,
  attribution: attributions(DEFAULT_CONFIG, null, 'roadmap'),
  following: false,
  density: false,
  finderOpen: false,
  findMe: 'off',
  notice: null,
  selected: null,
  pinned: [],
  cards: [],
  places: [],
  pulsing: [],
  menu: null,
  me: null,
  found: null,
  handle: null,
  aim: null,
  isPlacing: false,
  hasWords: false,
  hasRoads: false,
};
