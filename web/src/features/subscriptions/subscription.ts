import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { api, type Schemas } from '~/api';
import { needed, text } from '~/model/rules';
import { resource } from '~/office';

/** A feed of someone else's that an organization reads; its address without what is secret in it. */
export type Subscription = Schemas['FeedSubscription'];

export const subscriptions = resource('subscription', {
  list: 'GET /organization/feed_subscriptions',
  one: 'GET /organization/feed_subscriptions/{id}',
  fits: row => !row.is_deleted,
});

/** The changes to subscriptions; each throws the client's failure and leaves what is shown fresh. */
export function useSubscriptionMutations() {
  const { kept, gone, changed } = subscriptions.useWrites();
  return {
    create: (body: Schemas['FeedSubscriptionWrite']) =>
      kept(api.data('POST /organization/feed_subscriptions', { body })),
    save: ({ id, version }: Subscription, body: Schemas['FeedSubscriptionWrite']) => {
      const ifMatch = version || undefined;
      return kept(api.data('PUT /organization/feed_subscriptions/{id}', { path: { id }, body, ifMatch }));
    },
    fetchNow: (id: string) => kept(api.data('POST /organization/feed_subscriptions/{id}/fetch', { path: { id } })),
    /** Believes that what is missing is gone; `missing` as it was seen. The feed is then fetched at once. */
    accept: async ({ id, missing }: Subscription) => {
      try {
        const path = { id };
        return await kept(api.data('POST /organization/feed_subscriptions/{id}/accept', { path, body: { missing } }));
      } catch (error) {
        void changed(Promise.resolve()); // it was refused because the feed is otherwise by now
        throw error;
      }
    },
    /** Takes back the edit or the deletion that made a version, for 24 hours. */
    undo: ({ id, version }: Pick<Subscription, 'id' | 'version'>) =>
      kept(api.data('POST /organization/feed_subscriptions/{id}/undo', { path: { id }, body: { version } })),
    remove: (id: string) => gone(id, api.delete('DELETE /organization/feed_subscriptions/{id}', { id })),
  };
}

type Named = readonly { name: string; displayName: string }[];
const wordOf = (list: Named, name: string) => list.find(one => one.name === name)?.displayName ?? name;

export const formatText = (format: string) => wordOf(enums.feedFormats, format);
export const reasonText = (reason: string) => wordOf(enums.feedReasons, reason);
export const statusText = (status: string) => wordOf(enums.feedHealth, status);

/** Why a fetch failed, with the code where a server answered with one: "The server answers with an error (503)". */
export const problemText = (problem: string, code?: number | null) =>
  code ? `${wordOf(enums.feedProblems, problem)} (${code})` : wordOf(enums.feedProblems, problem);

/** What came of a fetch, in a word or two. */
export function outcomeText({ outcome, code }: Pick<Schemas['FeedFetch'], 'outcome' | 'code'>): string {
  if (outcome === 'good') return 'Good';
  if (outcome === 'unchanged') return 'Good, nothing new';
  if (outcome === 'held') return wordOf(enums.feedProblems, 'shrunk');
  return problemText(outcome, code);
}

/** How a fetch went, for its mark. */
export const outcomeTone = (outcome: string) =>
  outcome === 'good' || outcome === 'unchanged' ? 'good' : outcome === 'held' ? 'warn' : 'danger';

const tones = {
  good: 'good',
  failing: 'danger',
  held: 'warn',
  frozen: 'warn',
  waiting: 'neutral',
  off: 'neutral',
} as const;

export const toneOf = ({ status }: Pick<Subscription, 'status'>) => tones[status];

/** The machine that has it: all that a list has room for. */
export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

export const isHiding = (url: string) => url.includes('***');

export const formatOptions = enums.feedFormats.map(({ name, displayName }) => ({ id: name, label: displayName }));

/** What a feed of a format can bring. */
export const bringsText: Readonly<Record<Subscription['format'], string>> = {
  wzdx: 'Work zones become closures. Incidents become hazards.',
  cwz: 'Work zones become closures. Incidents become hazards.',
  cifs: 'Road closures and construction become closures. Other incidents become hazards.',
  geojson: 'Lines become closures. Points become hazards.',
  csv: 'Each row becomes a hazard.',
};

/** Whether a format has columns or properties that someone has to name. */
export const hasColumns = (format: string) => format === 'csv' || format === 'geojson';

/** What is named by a column of CSV or a property of GeoJSON, in the order of the form. */
export const columnLines = [
  { id: 'id', label: 'ID', isOfTable: false },
  { id: 'type', label: 'Type', isOfTable: false },
  { id: 'lat', label: 'Latitude', isOfTable: true },
  { id: 'lng', label: 'Longitude', isOfTable: true },
  { id: 'description', label: 'Description', isOfTable: false },
  { id: 'start', label: 'Start time', isOfTable: false },
  { id: 'updated', label: 'Updated', isOfTable: false },
] as const;

const cell = text(limits.text.name.value);

/** The rules of a subscription, by the wire's names. */
export const subscriptionSchema = z.object({
  name: needed(limits.text.name.value),
  format: z.string(),
  url: needed(limits.subscription.urlText.value),
  is_active: z.boolean(),
  columns: z.object({ id: cell, type: cell, lat: cell, lng: cell, description: cell, start: cell, updated: cell }),
  types: z.array(z.object({ word: needed(limits.text.name.value), kind: z.string() })).check(
    z.check<{ word: string; kind: string }[]>(context => {
      const seen = new Set<string>();
      for (const [index, { word }] of context.value.entries()) {
        if (seen.has(word)) {
          const path = [index, 'word'];
          context.issues.push({ code: 'custom', message: 'Already listed', path, input: context.value });
        }
        seen.add(word);
      }
    }),
  ),
  timezone: z.string(),
  time_format: text(limits.text.name.value),
});

export type SubscriptionForm = z.infer<typeof subscriptionSchema>;

export const blank: SubscriptionForm = {
  name: '',
  format: 'wzdx',
  url: '',
  is_active: true,
  columns: { id: '', type: '', lat: '', lng: '', description: '', start: '', updated: '' },
  types: [],
  timezone: '',
  time_format: '',
};

/** The fields of a form that a row has otherwise. */
export const readSubscription = ({ columns, types }: Subscription) => ({
  columns: { ...blank.columns, ...columns },
  types: Object.entries(types).map(([word, kind]) => ({ word, kind })),
});

/** What is sent of a form. */
export const bodyOf = ({ types, ...rest }: Partial<SubscriptionForm>): Schemas['FeedSubscriptionWrite'] => ({
  ...rest,
  ...(types && { types: Object.fromEntries(types.map(({ word, kind }) => [word, kind])) }),
});

/** Its tab of Manage Accounts & Users. */
export const TAB = 'feed';

/** How often a screen asks how feeds are: they are fetched once a minute. */
export const REFRESH_MS = 10_000;
