import permissions from '@catalog/permissions.json';
import type { Schemas } from '~/api';
import { type Instant, instantOf } from '~/model/instant';
import { catalogName } from '~/model/thingType';

type WireEntry = Schemas['AuditEntry'];

/** One change or sign-in event. */
export interface Entry {
  id: string;
  at: Instant;
  who: string;
  kind: 'user' | 'key' | 'system';
  network: string;
  verb: string;
  noun: string;
  nounId: string;
  changes: readonly Change[];
  /** What it is about, by its own name, when the row tells it. */
  subject: string;
  sealed: boolean;
  requestId: string;
}

/** One field before and after; absent sides are ''. */
export interface Change {
  field: string;
  before: string;
  after: string;
}

const NAMES = ['name', 'nickname', 'email', 'description', 'system_name', 'haas_id'] as const;

/** Maps a row of GET /audit. */
export function entryOf(wire: WireEntry): Entry {
  const before = fieldsOf(wire.before);
  const after = fieldsOf(wire.after);
  const name = NAMES.map(field => after[field] ?? before[field]).find(text => text);
  return {
    id: wire.id,
    at: instantOf(wire.at),
    who: wire.actor.name || (wire.actor.kind === 'system' ? 'Server' : 'Unknown'),
    kind: wire.actor.kind,
    network: wire.network,
    verb: wire.verb,
    noun: wire.noun,
    nounId: wire.noun_id,
    changes: changesOf(before, after),
    subject: name ?? '',
    sealed: wire.sealed,
    requestId: wire.request_id,
  };
}

function fieldsOf(document: unknown): Record<string, string> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return {};
  return Object.fromEntries(Object.entries(document).map(([field, value]) => [field, textOf(value)]));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isAssets(value)) return value.map(asset => asset.haas_id).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Assets that were registered at once. */
const isAssets = (value: unknown): value is Pick<Schemas['IngestAsset'], 'haas_id'>[] =>
  Array.isArray(value) && value.length > 0 && value.every(one => typeof one?.haas_id === 'string');

/** The fields that differ, in the order of the newer side; a version number tells nobody anything. */
function changesOf(before: Record<string, string>, after: Record<string, string>): Change[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter(field => field !== 'version' && (before[field] ?? '') !== (after[field] ?? ''))
    .map(field => ({ field, before: before[field] ?? '', after: after[field] ?? '' }));
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A text with names in place of the ids that can be named: types, roles, organizations in reach. */
export function named(text: string, organizations: readonly { id: string; name: string }[]): string {
  const rows = [...organizations, ...permissions.roles.map(({ id, label }) => ({ id, name: label }))];
  return text.replaceAll(UUID, id => catalogName(id) || (rows.find(row => row.id === id)?.name ?? id));
}

/** A field's name in words: "type" for type_id. */
export const fieldText = (field: string): string => field.replace(/_id$/, '').replaceAll('_', ' ');

const NOUNS: Readonly<Record<string, string>> = {
  user: 'user',
  organization: 'organization',
  thing: 'asset',
  key: 'API key',
  legal_hold: 'legal hold',
  command: 'device command',
  session: 'session',
  passkey: 'passkey',
  sign_in_link: 'sign-in link',
};

const SENTENCES: Readonly<Record<string, string>> = {
  'transfer thing': 'Transferred asset',
  'configure thing': 'Configured the device of',
  'create user': 'Added user',
  'create organization': 'Added organization',
  'create thing': 'Registered asset',
  'register thing': 'Registered assets',
  'create key': 'Created API key',
  'create command': 'Sent a device command',
  'deliver command': 'The device carried out a command',
  'fail command': "The device couldn't carry out a command",
  'expire command': 'A device command expired',
  'replace command': 'A newer command replaced a device command',
  'acknowledge_late command': 'The device answered an expired command',
  'create legal_hold': 'Placed a legal hold',
  'lift legal_hold': 'Lifted a legal hold',
  'create sign_in_link': 'Created a sign-in link',
  'relate organization': 'Changed who manages or views',
  'offer organization': 'Offered access to',
  'decline_offer organization': 'Declined access offered by',
  'withdraw_offer organization': 'Withdrew the offer of access to',
  'relate thing': 'Changed who manages or views asset',
  'import import': 'Imported assets',
  'undo import': 'Undid an asset import',
  'import user_import': 'Imported users',
  'undo user_import': 'Undid a user import',
  'adopt audit_head': 'Accepted the audit log as is',
  'rotate server_key': 'Rotated the server key',
  'replace server_key': 'Replaced a lost server key',
  'alarm thing': 'Found an hour of unreadable positions of asset',
  'alarm audit': 'Found unexpected changes in the audit log',
  'create setup_link': 'Created the setup link',
  'end session': 'Ended a session',
  end_sessions: 'Signed out everywhere',
  step_up: 'Confirmed their identity',
  awareness_on: 'Turned situational-awareness mode on',
  awareness_off: 'Turned situational-awareness mode off',
  totp_set_up: 'Set up an authenticator app',
  totp_removed: 'Removed the authenticator app',
  passkey_added: 'Added a passkey',
  passkey_removed: 'Removed a passkey',
  passkey_counter: 'A passkey may have been copied',
  recovery_codes: 'Generated new recovery codes',
  second_factor_reset: 'Reset two-factor authentication',
  mail_failed: "An email couldn't be delivered",
  change_password_refused: 'Password change failed',
  move: 'Moved to another organization',
  change_role: 'Changed the role of user',
  reset_requested: 'Requested a password reset',
  unlock_requested: 'Requested an unlock link',
  unlock_account: 'Unlocked by link',
  mfa_refused: 'Two-factor check failed',
  step_up_refused: 'Confirmation failed',
  sign_in: 'Signed in',
  sign_in_refused: 'Sign-in failed',
  sign_out: 'Signed out',
  session_reuse: 'Ended a session: an old token was reused',
  set_password: 'Set a password',
  reset_password: 'Reset the password by email',
  change_password: 'Changed the password',
  accept_invitation: 'Accepted the invitation',
  invite: 'Sent an invitation',
  test_mail: 'Sent a test email',
  copy_invitation: 'Copied an invitation link',
  break_glass: 'Break-glass access',
  place: 'Assigned a role by the identity provider',
  look: 'Viewed',
  'read trips': 'Viewed the trips of',
  'mail monthly_report': 'Was emailed a monthly report',
};

/** What happened, in words: "Added user", "Revoked API key". */
export function sentenceOf({ verb, noun }: Pick<Entry, 'verb' | 'noun'>): string {
  const words = SENTENCES[`${verb} ${noun}`] ?? SENTENCES[verb];
  const what = NOUNS[noun] ?? noun.replaceAll('_', ' ');
  if (words) return verb === 'look' ? `${words} ${what}` : words;
  const done = verb.replaceAll('_', ' ');
  const past = done.endsWith('e') ? `${done}d` : `${done}ed`;
  return `${past.charAt(0).toUpperCase()}${past.slice(1)} ${what}`;
}

/** The kinds of things the list can be narrowed to. */
export const nounOptions = Object.entries(NOUNS).map(([id, label]) => ({
  id,
  label: label.charAt(0).toUpperCase() + label.slice(1),
}));
