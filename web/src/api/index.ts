export { api, type Call, Client, TIMEOUT_MS } from './client';
export { asFailure, Failure } from './failure';
export { fill, type Operation, say, texts } from './say';
export type { TokenAnswer, WireOrganization, WireProfile, WireUser } from './types';
