import { instantOf } from '~/model/instant';
import type { WireMessage } from '~/model/wire';

/** Where a subscription stands in its stream. */
export interface StreamPosition {
  epoch: string;
  offset: number;
}

/** A frame of the server, understood (Action Cable's frames and the history extension). */
export type Frame =
  | { type: 'welcome' }
  | { type: 'ping'; serverAt: number }
  | { type: 'confirm'; position: StreamPosition | undefined }
  | { type: 'reject' }
  | { type: 'confirm_history' }
  | { type: 'reject_history' }
  | { type: 'disconnect'; reason: string; reconnect: boolean; afterMs: number }
  | { type: 'data'; messages: WireMessage[]; position: StreamPosition | undefined }
  | { type: 'unknown' };

type Json = Record<string, unknown>;

const isObject = (v: unknown): v is Json => typeof v === 'object' && v !== null && !Array.isArray(v);

const KINDS = new Set(['point', 'thing', 'heartbeat', 'location', 'closure', 'admin']);

const isNumber = (v: unknown) => typeof v === 'number';
const isRows = (v: unknown) => Array.isArray(v) && v.every(isObject);

/** Fields of a body that are of one kind when they are there. */
const BODY: readonly (readonly [name: string, fits: (v: unknown) => boolean])[] = [
  ['lat', isNumber],
  ['lng', isNumber],
  ['speed', isNumber],
  ['course', isNumber],
  ['accuracy', isNumber],
  ['closures', isRows],
  ['organization_relationships', isRows],
  ['external_identifiers', isRows],
  ['things_active', isRows],
  ['things_inactive', isRows],
];

function isBody(v: unknown): boolean {
  if (!isObject(v) || typeof v.id !== 'string') return false;
  return BODY.every(([name, fits]) => v[name] === undefined || v[name] === null || fits(v[name]));
}

/** A message whose type and body we know; anything else is ignored (specification section 5, "Server data"). */
function isMessage(v: unknown): v is WireMessage & Json {
  if (!isObject(v) || typeof v.type !== 'string' || !KINDS.has(v.type)) return false;
  return [v.live, v.thing, v.location].every(body => body === undefined || body === null || isBody(body));
}

function positionOf(frame: Json, offset: unknown): StreamPosition | undefined {
  return typeof frame.epoch === 'string' && typeof offset === 'number' ? { epoch: frame.epoch, offset } : undefined;
}

function dataOf(frame: Json): Frame {
  if (Array.isArray(frame.messages)) {
    const messages: WireMessage[] = [];
    let last: unknown;
    for (const entry of frame.messages) {
      if (!isObject(entry)) continue;
      if (typeof entry.offset === 'number') last = entry.offset;
      if (isMessage(entry.message)) messages.push(entry.message);
    }
    return { type: 'data', messages, position: positionOf(frame, last) };
  }
  return {
    type: 'data',
    messages: isMessage(frame.message) ? [frame.message] : [],
    position: positionOf(frame, frame.offset),
  };
}

/** The server's instant of a ping: `at` to the millisecond, else the whole seconds of Action Cable. */
function pingInstant(frame: Json): number {
  if (typeof frame.at === 'string') return instantOf(frame.at);
  return typeof frame.message === 'number' ? frame.message * 1000 : 0;
}

/** Reads a frame; what is no JSON object or of no known type is `unknown` and ignored. */
export function parseFrame(text: unknown): Frame {
  let frame: unknown;
  try {
    frame = typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    frame = undefined;
  }
  if (!isObject(frame)) return { type: 'unknown' };
  switch (frame.type) {
    case 'welcome':
      return { type: 'welcome' };
    case 'ping':
      return { type: 'ping', serverAt: pingInstant(frame) };
    case 'confirm_subscription':
      return { type: 'confirm', position: positionOf(frame, frame.offset) };
    case 'reject_subscription':
      return { type: 'reject' };
    case 'reject_history':
      return { type: 'reject_history' };
    case 'confirm_history':
      return { type: 'confirm_history' };
    case 'disconnect':
      return {
        type: 'disconnect',
        reason: typeof frame.reason === 'string' ? frame.reason : '',
        reconnect: frame.reconnect !== false,
        afterMs: typeof frame.after === 'number' ? frame.after : 0,
      };
    case undefined:
      return 'message' in frame || 'messages' in frame ? dataOf(frame) : { type: 'unknown' };
    default:
      return { type: 'unknown' };
  }
}
