import { queryOptions, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { api, type Schemas } from '~/api';
import { countOf } from '~/model/format';
import { clockText } from '~/model/recurrence';

/** What an organization's watchdog looks for, and when it keeps quiet. */
export type Watchdog = Schemas['Watchdog'];
export type Rule = Watchdog['rules'][number];
type Mode = Rule['mode'];

/** What stands in place of an id in the address of the settings. */
export const SETTINGS = 'settings';

const keyOf = (organizationId: string) => ['watchdog', organizationId] as const;

export const watchdogQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keyOf(organizationId),
    queryFn: ({ signal }) =>
      api.data('GET /organization/watchdog', { query: { organization_id: organizationId }, signal }),
  });

/** The changes; each throws the client's failure. */
export function useWatchdogMutations(organization_id: string) {
  const queries = useQueryClient();
  const keep = (change: (now: Watchdog | undefined) => Watchdog | undefined) =>
    queries.setQueryData<Watchdog>(keyOf(organization_id), change);
  const query = { organization_id };
  return {
    save: async ({ version }: Pick<Watchdog, 'version'>, body: Schemas['WatchdogWrite']) => {
      const saved = await api.data('PUT /organization/watchdog', { query, body, ifMatch: version });
      keep(() => saved);
      return saved;
    },
    /** Whether I am mailed about the assets of my own organization. */
    mail: async (wanted: boolean) => {
      const { mail } = await api.data('PUT /organization/watchdog/mail', { body: { mail: wanted } });
      keep(now => now && { ...now, mail });
    },
  };
}

/** What a rule can be. */
export const modes = [
  { id: 'off', label: 'Off' },
  { id: 'trial', label: 'Trial' },
  { id: 'on', label: 'On' },
] as const satisfies readonly { id: Mode; label: string }[];

export const modeText = (mode: unknown): string => modes.find(({ id }) => id === mode)?.label ?? String(mode);

const clock = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/, 'Enter a time such as 22:00'));

/** The rules of the form: a field for each rule, by its name, so that two people can each change another one. */
export const schemaOf = ({ rules }: Pick<Watchdog, 'rules'>) =>
  z
    .object<Readonly<Record<string, z.ZodMiniType<string, string>>>>({
      ...Object.fromEntries(rules.map(({ rule }) => [rule, z.enum(['off', 'trial', 'on'])])),
      quiet_from: clock,
      quiet_to: clock,
    })
    .check(
      z.check(({ value, issues }) => {
        const { quiet_from: from = '', quiet_to: to = '' } = value;
        const wrong = (path: string, message: string) =>
          issues.push({ code: 'custom', path: [path], message, input: value });
        if (from === '' && to !== '') wrong('quiet_from', 'Enter both times, or neither.');
        if (to === '' && from !== '') wrong('quiet_to', 'Enter both times, or neither.');
        if (from !== '' && from === to) wrong('quiet_to', 'Quiet hours must end at another time.');
      }),
    );

type Form = Readonly<Record<string, string>>;

/** The fields that quiet hours are said with. */
export const QUIET = ['quiet_from', 'quiet_to'];

export const readWatchdog = ({ rules, quiet_from, quiet_to }: Watchdog): Form => ({
  ...Object.fromEntries(rules.map(({ rule, mode }) => [rule, mode])),
  quiet_from: quiet_from ?? '',
  quiet_to: quiet_to ?? '',
});

/** What is sent of a form, or of a part of it. */
export function bodyOf(form: Form): Schemas['WatchdogWrite'] {
  const rules = Object.entries(form).filter(([name]) => !QUIET.includes(name));
  const quiet = Object.entries(form).filter(([name]) => QUIET.includes(name));
  return {
    ...(rules.length > 0 && { rules: rules.map(([rule, mode]) => ({ rule, mode })) }),
    ...Object.fromEntries(quiet.map(([name, time]) => [name, time])),
  };
}

/** How often a rule found something: "Found 3 times in the last 7 days". */
export const foundText = ({ found_7d: count }: Pick<Rule, 'found_7d'>): string =>
  count === 0
    ? 'Found nothing in the last 7 days'
    : `Found ${count === 1 ? 'once' : countOf(count, 'time')} in the last 7 days`;

/** What the watchdog does just now: "2 rules on, 5 on trial, 1 off." */
export function modesText({ rules }: Pick<Watchdog, 'rules'>): string {
  const count = (wanted: Mode) => rules.filter(({ mode }) => mode === wanted).length;
  const [on, trial, off] = [count('on'), count('trial'), count('off')];
  if (off === rules.length) return 'All rules are off.';
  if (trial === rules.length) return 'All rules are on trial: nobody is told yet.';
  const parts = [`${countOf(on, 'rule')} on`, trial > 0 && `${trial} on trial`, off > 0 && `${off} off`];
  return `${parts.filter(Boolean).join(', ')}.`;
}

/** "No mail from 10:00 PM to 6:00 AM."; '' without quiet hours. */
export const quietText = ({ quiet_from: from, quiet_to: to }: Pick<Watchdog, 'quiet_from' | 'quiet_to'>): string =>
  from && to ? `No mail from ${clockText(from)} to ${clockText(to)}.` : '';
