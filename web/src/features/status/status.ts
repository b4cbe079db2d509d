import limits from '@catalog/limits.json';
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import { bytesText } from '~/model/export';
import { agoText, countOf, dateText } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import type { ManagerTab } from '~/model/manager';
import { pathsOf } from '~/section/paths';

export type Concern = Schemas['Concern'];
export type ServerStatus = Schemas['ServerStatus'];
export type TestMail = Schemas['TestMail'];

/** What of an organization needs an administrator. */
export const concernsQuery = (id: string) =>
  queryOptions({
    queryKey: ['concerns', id],
    queryFn: ({ signal }) => api.data('GET /organizations/{id}/status', { path: { id }, signal }),
  });

/** What of the whole installation does. */
export const serverQuery = (mayAsk: boolean) =>
  queryOptions({
    queryKey: ['concerns', 'server'],
    queryFn: ({ signal }) => api.data('GET /status', { signal }),
    enabled: mayAsk,
  });

/** A concern in words: what is so, what to do next, and where. */
export interface ConcernText {
  title: string;
  next: string;
  tab?: ManagerTab;
  /** Of the row to open; without one, the tab's list. */
  id?: string;
  /** Where it is, when that is in no tab. */
  path?: string;
}

const CLOSURES = pathsOf('closures');
/** A closure, as it is named in a concern. */
export const closurePath = (id: string): string => CLOSURES.detail(id);

const DAY_MS = 86_400_000;
const SILENT_DAYS = Math.round(limits.concern.silentMs.value / DAY_MS);
const UNCONFIRMED_DAYS = Math.round(limits.concern.unconfirmedMs.value / DAY_MS);

/** What a feed's word for its trouble means. */
const feedTitle = ({ name, reason }: Concern): string => {
  if (reason === 'held') return `The feed “${name}” is much smaller than before, so what is missing still stands`;
  if (reason === 'frozen') return `The feed “${name}” has said nothing new for long`;
  return `The feed “${name}” can't be read`;
};

/** Says a concern to whoever can do something about it. */
export function describeConcern(concern: Concern, timezone: string, now: Instant): ConcernText {
  const { kind, id, name, count, reason } = concern;
  const at = instantOf(concern.at);
  const day = at > 0 ? dateText(at, timezone, 'LLL-dd-y') : '';
  const isOne = count === 1;
  const since = at > 0 ? `, since ${agoText(at, now)}` : '';
  switch (kind) {
    case 'key_ends':
      return {
        title: `The API key “${name}” ends on ${day}`,
        next: 'Create a new key, give it to what uses this one, and revoke this one.',
        tab: 'key',
      };
    case 'feed':
      return {
        title: `${feedTitle(concern)}${at > 0 ? ` (${agoText(at, now)})` : ''}`,
        next: 'Open the feed to see what it answered. Ask its publisher if it stays so.',
        tab: 'feed',
        id,
      };
    case 'integration':
      return reason === 'unauthorized'
        ? {
            title: `The provider refuses the account “${name}”${since}`,
            next: 'Enter new credentials.',
            tab: 'integration',
            id,
          }
        : {
            title: `The provider of “${name}” can't be read${since}`,
            next: "Open the integration to see why. Its vehicles aren't updated meanwhile.",
            tab: 'integration',
            id,
          };
    case 'never_heard':
      return {
        title: `${countOf(count, 'asset')} never reported`,
        next: "Connect a device to each. Take those that you don't use now out of service, and delete those that never will be.",
        tab: 'thing',
      };
    case 'silent':
      return {
        title: `${countOf(count, 'asset')} ${isOne ? "hasn't" : "haven't"} reported for ${SILENT_DAYS} days or longer`,
        next: 'Check power, network, and API key of the devices. Take those that are parked for long out of service.',
        tab: 'thing',
      };
    case 'unpublished': {
      const empty = reason === 'empty' ? 'Your public feeds show no active closure, and ' : '';
      return {
        title: `${empty}${countOf(count, 'closure')} ${isOne ? 'is' : 'are'} active and not published`,
        next: "Publish each, so that navigation apps warn drivers of it. Take one that isn't on the road out of service.",
        path: CLOSURES.list,
      };
    }
    case 'held_back':
      return {
        title: `The public feeds leave out ${countOf(count, 'active closure')} that ${isOne ? 'breaks' : 'break'} a rule of theirs`,
        next: 'Open the closure: it says what is missing. It is published as soon as that is mended.',
        path: CLOSURES.list,
      };
    case 'unconfirmed':
      return {
        title: `Nobody has confirmed ${countOf(count, 'published closure')} for ${UNCONFIRMED_DAYS} days or longer`,
        next: 'Confirm what is still there, and end what is not: apps go on warning drivers of it.',
        path: CLOSURES.list,
      };
    case 'certificate':
      return {
        title: at <= now ? `The server's certificate ended on ${day}` : `The server's certificate ends on ${day}`,
        next:
          reason === 'renews'
            ? "The server renews it by itself and couldn't yet. Its log says what the authority answered."
            : 'Renew it and replace its files. The server takes them without a restart.',
      };
    case 'no_mail_server':
      return {
        title: 'No mail server is set up',
        next: 'Invitations and password links are only written to the outbox folder. Set --smtp-url and restart the server.',
      };
    case 'mail_waits':
      return {
        title: `${countOf(count, 'email')} ${count === 1 ? 'waits' : 'wait'} for the mail server${since}`,
        next: 'Send a test email below to see what the mail server says.',
      };
    case 'mail_given_up':
      return {
        title: `${countOf(count, 'email')} couldn't be delivered in the last 7 days`,
        next: 'The audit names each and says why.',
        tab: 'audit',
      };
    case 'disk':
      return {
        title:
          reason === 'free'
            ? `Only ${count}% of the disk is free`
            : `The disk will be full in about ${countOf(count, 'day')}`,
        next: 'Keep data for less time, or give the server a larger disk.',
        tab: 'retention',
      };
    case 'backup':
      return {
        title: `The newest backup in the data folder was made ${agoText(at, now)}`,
        next: 'Check the timer that runs lightbar backup.',
      };
  }
}

/** What is told of the server when nothing is wrong, too. */
export function serverLines(
  server: ServerStatus,
  timezone: string,
  now: Instant,
): readonly (readonly [string, string])[] {
  const at = (text: string | null) => (text === null ? '' : dateText(instantOf(text), timezone, 'LLL-dd-y'));
  const { disk_bytes: disk, disk_free_bytes: free, days_until_full: days, backup_at: backup } = server;
  return [
    ['Mail server', server.mail_server ? 'Set up' : 'None'],
    ['Emails waiting', String(server.mails_waiting)],
    ['Certificate ends', at(server.certificate_ends_at) || 'This server has none of its own'],
    [
      'Newest backup',
      backup ? agoText(instantOf(backup), now) : "None in the data folder. Backups in other places aren't known here.",
    ],
    [
      'Disk',
      disk > 0
        ? `${bytesText(free)} of ${bytesText(disk)} free${days === null ? '' : `, full in about ${countOf(days, 'day')}`}`
        : 'Not known here',
    ],
  ];
}

/** How a test mail went. */
export function testWords({ state, to }: TestMail): { text: string; tone: 'good' | 'warn' | 'danger' } {
  switch (state) {
    case 'taken':
      return { text: `The mail server took the test email to ${to}. Check that it arrives.`, tone: 'good' };
    case 'refused':
      return { text: `The mail server refused the test email to ${to}.`, tone: 'danger' };
    case 'failed':
      return { text: "The test email wasn't sent. It isn't tried again.", tone: 'danger' };
    case 'no_server':
      return {
        text: 'No mail server is set up, so nothing was sent. Set --smtp-url and restart the server.',
        tone: 'warn',
      };
  }
}
