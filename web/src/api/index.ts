export { api, type Call, Client } from './client';
export { asFailure, Failure } from './failure';
export type { AnswerOf, DataOf, QueryOf, ReadPath, Route } from './route';
export { fill, nameProduct, type Operation, say, texts } from './say';
export type {
  PerField,
  Schemas,
  WireFrame,
  WireLive,
  WireLocation,
  WireMessage,
  WireOrganization,
  WireProfile,
  WireSession,
  WireSnapshot,
  WireThing,
  WireUser,
} from './types';
export { isObject, type Unchecked, unchecked } from './unchecked';
