import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { api, type Schemas } from '~/api';
import { needed, text } from '~/model/rules';
import { resource } from '~/office';
/** An organization's account at a fleet-telematics provider; its secret is never in it. */
export type Integration = Schemas['Integration'];
type IntegrationWrite = Schemas['IntegrationWrite'];
/** A vehicle that an account has, and which asset it seems to be. */
export type Vehicle = Schemas['IntegrationVehicle'];
export type VehicleLink = Schemas['IntegrationLink'];

export const integrations = resource('integration', {
  list: 'GET /organization/integrations',
  one: 'GET /organization/integrations/{id}',
  fits: row => !row.is_deleted,
});

/** A provider with thousands of vehicles answers slowly. */
const CHECK_MS = 120_000;

/**
 * What a provider has just now, matched with the organization's assets; nothing is stored. It is asked once a minute at
 * most and never behind somebody's back: a provider counts how often it is asked.
 */
export const vehiclesOf = (id: string) => ({
  ...integrations.part(id, 'vehicles', signal =>
    api.data('POST /organization/integrations/{id}/check', { path: { id }, signal, timeoutMs: CHECK_MS }),
  ),
  staleTime: 60_000,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

/** The changes to integrations; each throws the client's failure and leaves what is shown fresh. */
export function useIntegrationMutations() {
  const { kept, gone } = integrations.useWrites();
  return {
    create: (body: IntegrationWrite) => kept(api.data('POST /organization/integrations', { body })),
    save: ({ id, version }: Integration, body: IntegrationWrite) =>
      kept(api.data('PUT /organization/integrations/{id}', { path: { id }, body, ifMatch: version || undefined })),
    fetchNow: (id: string) => kept(api.data('POST /organization/integrations/{id}/fetch', { path: { id } })),
    /** Links vehicles with assets. */
    choose: (id: string, vehicles: VehicleLink[]) =>
      api.data('PUT /organization/integrations/{id}/vehicles', {
        path: { id },
        body: { vehicles },
        timeoutMs: CHECK_MS,
      }),
    /** Takes back the edit or the deletion that made a version, for 24 hours. */
    undo: ({ id, version }: Pick<Integration, 'id' | 'version'>) =>
      kept(api.data('POST /organization/integrations/{id}/undo', { path: { id }, body: { version } })),
    remove: (id: string) => gone(id, api.delete('DELETE /organization/integrations/{id}', { id })),
  };
}

export type Provider = Integration['provider'];

interface ProviderWords {
  id: Provider;
  label: string;
  /** whose vehicles it has */
  holds: string;
  /** where its account and its secret come from */
  account: string;
  /** what it calls its secret */
  secret: string;
  lightsHint: string;
  /** the input that most fleets use for it */
  usualLights: string;
}

export const providers: readonly ProviderWords[] = [
  {
    id: 'geotab',
    label: 'Geotab',
    holds: 'Vehicles with Geotab GO devices in a MyGeotab database.',
    account: 'In MyGeotab, create a user of its own that can see devices and their data, and change nothing.',
    secret: 'Password',
    lightsHint: 'The IDs of the auxiliary inputs that the emergency lights are wired to.',
    usualLights: 'DiagnosticAux1Id',
  },
  {
    id: 'samsara',
    label: 'Samsara',
    holds: 'Vehicles with Samsara gateways.',
    account:
      'In the Samsara dashboard, create an API token that can read vehicles and their statistics, and change nothing.',
    secret: 'Token',
    lightsHint: "The auxiliary inputs' names in Samsara that the emergency lights are wired to.",
    usualLights: 'Emergency Lights',
  },
];

const unknown = (id: string): ProviderWords => ({
  id: id as Provider,
  label: id,
  holds: '',
  account: '',
  secret: 'Secret',
  lightsHint: '',
  usualLights: '',
});

/** How a provider is spoken of. */
export const providerOf = (id: string): ProviderWords => providers.find(one => one.id === id) ?? unknown(id);

/** The places where Samsara keeps an account; none is its usual one. */
export const regions = [{ id: 'api.eu.samsara.com', label: 'Europe' }] as const;
export const USUAL_REGION = 'United States';

const { accountText, secretText, serverText } = limits.integrations;

/** The rules of an integration, by the wire's names. */
export const schemaOf = (provider: string, isNew: boolean) => {
  const account = provider === 'geotab' ? needed(accountText.value) : text(accountText.value);
  return z.object({
    name: needed(limits.text.name.value),
    server: text(serverText.value),
    database: account,
    user: account,
    secret: isNew ? needed(secretText.value) : text(secretText.value),
    /** null = it is to be removed */
    webhook_secret: z.nullable(text(secretText.value)),
    lights: z.array(z.string()),
  });
};

export type IntegrationForm = z.infer<ReturnType<typeof schemaOf>>;

export const blank: IntegrationForm = {
  name: '',
  server: '',
  database: '',
  user: '',
  secret: '',
  webhook_secret: '',
  lights: [],
};

/** What is sent of a form: a secret that nobody typed stays what it is. */
export const bodyOf = ({ secret, webhook_secret, ...rest }: Partial<IntegrationForm>): IntegrationWrite => ({
  ...rest,
  ...(secret && { secret }),
  ...(webhook_secret && { webhook_secret }),
  ...(webhook_secret === null && { webhook_secret: '' }),
});

/** What one must be allowed to. */
export const MAY = {
  add: 'ADD_INTEGRATION',
  edit: 'EDIT_INTEGRATION',
  remove: 'DELETE_INTEGRATION',
  /** linking a vehicle edits its asset */
  things: 'EDIT_THING',
  /** a vehicle without an asset becomes a new one */
  newThings: 'ADD_THING',
} as const;

/** Its tab of Manage Accounts & Users. */
export const TAB = 'integration';

/** How often a screen asks how integrations are. */
export const REFRESH_MS = 10_000;
