export { api, type Call, Client } from './client';
export { asFailure, Failure } from './failure';
export { fill, type Operation, say, texts } from './say';
export type { TokenAnswer, WireOrganization, WireProfile, WireSession, WireUser } from './types';
