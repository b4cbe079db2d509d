import { type Schemas, type Unchecked, unchecked, type WireFrame, type WireMessage } from '~/api';
import { instantOf } from '~/model/instant';
import { fits } from './fits';
import { BODIES } from './kinds.gen';

/** Where a subscription stands in its stream. */
export type StreamPosition = Schemas['StreamPosition'];

/** Why the server ends a socket; '' when it did not say. */
export type EndReason = Schemas['DisconnectFrame']['reason'] | '';

/** A frame of the server, understood (Action Cable's frames and the history extension). */
export type Frame =
  | { type: 'welcome' }
  | { type: 'ping'; serverAt: number }
  | { type: 'confirm'; position: StreamPosition | undefined }
  | { type: 'reject' }
  | { type: 'confirm_history' }
  | { type: 'reject_history' }
  | { type: 'profile_changed' }
  | { type: 'disconnect'; reason: EndReason; reconnect: boolean; afterMs: number }
  | { type: 'data'; messages: WireMessage[]; position: StreamPosition | undefined }
  | { type: 'unknown' };

type RawFrame = Unchecked<WireFrame>;

/**
 * A message with the row of a noun, each field of the kind that the server's document gives it; anything else is
 * ignored (requirements 5.data). Of which nouns rows are kept the store says.
 */
function isMessage(v: unknown): v is WireMessage {
  const message = unchecked<Record<string, unknown>>(v);
  const body = BODIES.get(String(message.type));
  if (body) return fits(message[body.field], body.shape);
  // A type that this page does not know is the store's to ignore.
  return typeof message.type === 'string' && typeof unchecked<{ id: string }>(message[message.type]).id === 'string';
}

function positionOf(frame: RawFrame, offset: unknown): StreamPosition | undefined {
  return typeof frame.epoch === 'string' && typeof offset === 'number' ? { epoch: frame.epoch, offset } : undefined;
}

function dataOf(frame: RawFrame): Frame {
  if (Array.isArray(frame.messages)) {
    const messages: WireMessage[] = [];
    let last: unknown;
    for (const one of frame.messages) {
      const entry = unchecked<Schemas['BatchMessage']>(one);
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
function pingInstant(frame: RawFrame): number {
  if (typeof frame.at === 'string') return instantOf(frame.at);
  return typeof frame.message === 'number' ? frame.message * 1000 : 0;
}

type FrameType = Extract<WireFrame, { type: unknown }>['type'] | undefined;

function jsonOf(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a frame; what is no JSON object or of no known type is `unknown` and ignored. */
export function parseFrame(text: unknown): Frame {
  const frame = unchecked<WireFrame>(jsonOf(text));
  switch (frame.type as FrameType) {
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
    case 'profile_changed':
      return { type: 'profile_changed' };
    case 'disconnect':
      return {
        type: 'disconnect',
        reason: typeof frame.reason === 'string' ? (frame.reason as EndReason) : '',
        reconnect: frame.reconnect !== false,
        afterMs: typeof frame.after === 'number' ? frame.after : 0,
      };
    case undefined:
      return 'message' in frame || 'messages' in frame ? dataOf(frame) : { type: 'unknown' };
    default:
      return { type: 'unknown' };
  }
}
