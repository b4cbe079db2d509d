import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import type { Schemas } from '~/api';
import { capital } from './format';
import { type Instant, instantOf } from './instant';
import { Status } from './status';
import type { Thing } from './thing';
import { isResponder } from './thingType';

const WAIT_MS = limits.command.shownUndeliveredMs.value;

type CommandType = 'r2r_test' | 'test_mode' | 'light_intensity' | 'config';
type CommandStatus = 'accepted' | 'sent' | 'delivered' | 'failed' | 'expired';

/** A command to a device as lists and the stream tell it. */
export type WireCommand = Schemas['DeviceCommand'];

/** A command to the device of an asset, and how far it has come. */
export interface Command {
  id: string;
  thingId: string;
  type: CommandType;
  /** on or off, an intensity; '' where there is none that is a text */
  value: string;
  status: CommandStatus;
  issuedAt: Instant;
  /** when the device said what became of it; 0: it has not */
  acknowledgedAt: Instant;
  expiresAt: Instant;
  issuedBy: { kind: string; id: string; name: string };
  /** what the device said when it failed */
  message: string;
}

export function commandOfWire(w: WireCommand): Command {
  return {
    id: w.id,
    thingId: w.thing_id,
    type: w.type as CommandType,
    value: w.value ?? '',
    status: w.status as CommandStatus,
    issuedAt: instantOf(w.issued_at),
    acknowledgedAt: instantOf(w.acknowledged_at),
    expiresAt: instantOf(w.expires_at),
    issuedBy: { kind: w.issued_by.kind, id: w.issued_by.id, name: w.issued_by.name },
    message: w.message,
  };
}

/** How far a command has come; a lower one is older. */
const STEPS: Readonly<Record<CommandStatus, number>> = { accepted: 0, sent: 1, delivered: 2, failed: 2, expired: 2 };

/** A status that this side does not know yet counts as the first. */
export const stepOf = ({ status }: Pick<Command, 'status'>): number => STEPS[status] ?? 0;

/** The device may still say what becomes of it. */
export const isOpen = (command: Pick<Command, 'status'>): boolean => stepOf(command) < STEPS.delivered;

/** Newest first. */
export const compareCommands = (a: Command, b: Command): number =>
  b.issuedAt - a.issuedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** The commands of two sources, each once: the one that has come further. Newest first. */
export function mergedCommands(...sources: readonly (readonly Command[])[]): Command[] {
  const byId = new Map<string, Command>();
  for (const command of sources.flat()) {
    const known = byId.get(command.id);
    if (!known || stepOf(command) >= stepOf(known)) byId.set(command.id, command);
  }
  return [...byId.values()].sort(compareCommands);
}

/** Why a device action is not possible, in the order in which it is said (requirements 6.thing). */
export type CommandRefusal = 'hardware' | 'permission' | 'enabled' | 'status';

type Facts = Pick<
  Thing,
  'deviceType' | 'thingTypeId' | 'isR2REnabled' | 'isAllowedForTestMode' | 'isTestModeOn' | 'status'
>;

/** Whether a device understands R2R and light intensity. */
export const hasR2RHardware = ({ deviceType }: Pick<Thing, 'deviceType'>): boolean =>
  enums.r2rDeviceTypes.includes(deviceType);

/** Why the test alert or the end of test mode is not possible; undefined where it is. Turning off asks for no status. */
export function r2rRefusal(thing: Facts, isPermitted: boolean): CommandRefusal | undefined {
  if (!hasR2RHardware(thing)) return 'hardware';
  if (!isPermitted) return 'permission';
  if (!thing.isR2REnabled || !thing.isAllowedForTestMode || !isResponder(thing.thingTypeId)) return 'enabled';
  const isStill = thing.status === Status.STANDBY || thing.status === Status.STATIONARY;
  return thing.isTestModeOn || isStill ? undefined : 'status';
}

/** Why the light intensity can't be changed; undefined where it can: up to stationary in the order of statuses. */
export function lightRefusal(
  thing: Pick<Thing, 'deviceType' | 'status'>,
  isPermitted: boolean,
): CommandRefusal | undefined {
  if (!hasR2RHardware(thing)) return 'hardware';
  if (!isPermitted) return 'permission';
  return thing.status <= Status.STATIONARY ? undefined : 'status';
}

/**
 * What is known of a command that somebody waits for: still nothing, nothing for longer than the screen waits (`overdue`:
 * the device may still say so), what the device said, or that it was dropped unheard.
 */
export type Fate = 'waiting' | 'overdue' | 'delivered' | 'failed' | 'expired';

export function fateOf(command: Pick<Command, 'status'> | undefined, pressedAt: Instant, now: Instant): Fate {
  if (command && !isOpen(command)) return command.status as Exclude<CommandStatus, 'accepted' | 'sent'>;
  return now - pressedAt < WAIT_MS ? 'waiting' : 'overdue';
}

const TYPES: Readonly<Record<CommandType, string>> = {
  r2r_test: 'Test alert',
  test_mode: 'Test Mode',
  light_intensity: 'LED Intensity',
  config: 'Configuration',
};

const STATUSES: Readonly<Record<CommandStatus, string>> = {
  accepted: 'Accepted',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
  expired: 'Expired',
};

/** What a command asks of the device: "LED Intensity: High". */
export function commandText({ type, value }: Pick<Command, 'type' | 'value'>): string {
  const asked = TYPES[type] ?? type;
  return value ? `${asked}: ${capital(value)}` : asked;
}

/** How far a command has come, in a word. */
export const commandStatusText = ({ status }: Pick<Command, 'status'>): string => STATUSES[status] ?? status;
