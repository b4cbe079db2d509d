import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { type Schemas, texts, type WireThing } from '~/api';
import { serverClock } from '~/lib/clock';
import { assetLines } from '~/model/assetLines';
import { needed, required, rulesOf } from '~/model/rules';
import { type Thing, thingOfWire } from '~/model/thing';

const DUPLICATE = 'Provider already used';

export const INTEGRATIONS_MAX = limits.integrations.max.value;
export const PROVIDERS: readonly string[] = enums.providers;

const integration = z.object({
  system_name: z.string().check(z.trim(), required),
  identifier_id: needed(limits.text.vehicleId.value),
});

const { value: nicknameMax } = limits.text.nickname;

/** The lines of text of an asset's profile. */
export const profileLines = {
  nickname: { label: 'Nickname', rule: needed(nicknameMax), isRequired: true, max: nicknameMax },
} as const;

const REQUIRED = texts.validation.required;

/** The rules of an asset's profile (requirements 5.asset). */
export const thingSchema = z.object({
  ...rulesOf(profileLines),
  thing_type_id: z.string().check(required),
  thing_subtype_id: z.string(),
  ...rulesOf(assetLines),
  external_identifiers: z.array(integration).check(
    z.maxLength(INTEGRATIONS_MAX),
    z.check(context => {
      const seen = new Set<string>();
      context.value.forEach(({ system_name: name }, i) => {
        if (name !== '' && seen.has(name))
          context.issues.push({ code: 'custom', message: DUPLICATE, path: [i, 'system_name'], input: name });
        seen.add(name);
      });
    }),
  ),
  in_service: z.boolean(REQUIRED),
  is_publicly_alerting: z.boolean(REQUIRED),
});

export type ThingForm = z.infer<typeof thingSchema>;

/** What the form begins with. */
export const formOf = (thing: Thing): ThingForm => ({
  nickname: thing.nickname,
  thing_type_id: thing.thingTypeId,
  thing_subtype_id: thing.thingSubtypeId,
  vin_number: thing.vinNumber,
  license_plate_number: thing.plateNumber,
  registry_number: thing.registryNumber,
  external_identifiers: thing.integrations.map(({ name, id }) => ({ system_name: name, identifier_id: id })),
  in_service: thing.inService,
  is_publicly_alerting: thing.isPubliclyReporting,
});

/** The body of PUT things/{id} (requirements 3.thing). */
export type ThingUpdate = Schemas['ThingWrite'];

/**
 * What a save sends: id, in_service and is_publicly_alerting always, the rest only when filled. A field that was
 * filled and has been cleared is sent as an empty text, an integration that was taken away with `is_deleted`.
 */
export function updateOf(thing: Thing, form: ThingForm): ThingUpdate {
  const { external_identifiers: kept, in_service, is_publicly_alerting, ...lines } = form;
  const { external_identifiers: had, ...was } = formOf(thing);
  const filled = Object.entries(lines).filter(
    ([name, value]) => value !== '' || was[name as keyof typeof lines] !== '',
  );
  const gone = had.filter(one => !kept.some(now => now.system_name === one.system_name));
  const external_identifiers = [
    ...kept.map(one => ({ ...one, is_deleted: false })),
    ...gone.map(one => ({ ...one, is_deleted: true })),
  ];
  return {
    id: thing.id,
    in_service,
    is_publicly_alerting,
    ...Object.fromEntries(filled),
    ...(external_identifiers.length > 0 && { external_identifiers }),
  };
}

/** The asset as it stands now, of a refused save; undefined when the refusal shows something else. */
export const thingNow = (current: object): Thing | undefined =>
  'haas_id' in current ? thingOfWire(current as WireThing, serverClock.now()) : undefined;
