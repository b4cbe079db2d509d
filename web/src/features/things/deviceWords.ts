import { Failure, say, texts } from '~/api';
import type { CommandRefusal, Fate } from '~/model/command';

/** What stands under a device action. */
export interface DeviceMessage {
  /** nothing is known yet; it went well; it did not */
  tone: 'waiting' | 'good' | 'bad';
  lines: readonly string[];
}

/** Why a device action is not possible, in the words of its tooltip. */
export function refusalText(refusal: CommandRefusal): string {
  switch (refusal) {
    case 'hardware':
      return texts.asset.refusedHardware;
    case 'permission':
      return texts.asset.refusedPermission;
    case 'enabled':
      return texts.asset.refusedEnabled;
    case 'status':
      return texts.asset.refusedStatus;
  }
}

/**
 * What is said of a test alert, which turns test mode on. It is delivered only when the device says so. An alert that
 * was refused or dropped leaves test mode off.
 */
export function alertWords(fate: Fate, failure: unknown): DeviceMessage {
  if (fate === 'waiting') return { tone: 'waiting', lines: [texts.asset.alertSending] };
  if (fate === 'delivered') return { tone: 'good', lines: [texts.asset.alertDelivered, texts.asset.testModeOn] };
  const undelivered = failure ? say('thing.r2r', failure) : texts.asset.alertNotDelivered;
  if (fate === 'overdue') return { tone: 'bad', lines: [undelivered] };
  return { tone: 'bad', lines: [undelivered, say('thing.testModeOn', failure)] };
}

/** What is said of turning test mode off: nothing once the device has done so. */
export function offWords(fate: Fate, failure: unknown): DeviceMessage {
  if (fate === 'waiting') return { tone: 'waiting', lines: [texts.asset.alertSending] };
  if (fate === 'delivered') return { tone: 'good', lines: [] };
  return { tone: 'bad', lines: [say('thing.testModeOff', failure)] };
}

/** What is said of another light intensity. */
export function lightWords(fate: Fate, failure: unknown): DeviceMessage {
  if (fate === 'waiting' || fate === 'overdue') return { tone: 'waiting', lines: [texts.asset.lightPending] };
  if (fate === 'delivered') return { tone: 'good', lines: [texts.asset.lightSuccess] };
  return { tone: 'bad', lines: [say('thing.light', failure ?? (fate === 'expired' ? SILENT : REFUSED))] };
}

// What the device does with a command is told as an answer of the server would be.
const SILENT = new Failure({ status: 408, code: 'timed_out', message: '' });
const REFUSED = new Failure({ status: 422, code: '', message: '' });
