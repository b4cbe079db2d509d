import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { type Failure, type PerField, type Schemas, texts, type WireThing } from '~/api';
import type { Thing } from '~/model/thing';

const REQUIRED = texts.validation.required;
const ALPHANUMERIC = 'Please only use numbers or letters';
const DUPLICATE = 'Provider already used';

export const NICKNAME_MAX = limits.text.nickname.value;
export const PLATE_MAX = limits.text.plate.value;
export const REGISTRY_MAX = limits.text.registry.value;
export const VEHICLE_ID_MAX = limits.text.vehicleId.value;
export const INTEGRATIONS_MAX = limits.integrations.max.value;
export const PROVIDERS: readonly string[] = enums.providers;

/** "Must be 50 or fewer characters" */
export const tooLong = (max: number) => `Must be ${max} or fewer characters`;

const characters = (text: string) => [...text].length;
const atMost = (max: number) => z.refine<string>(text => characters(text) <= max, tooLong(max));
const required = z.minLength(1, REQUIRED);

const integration = z.object({
  name: z.string().check(z.trim(), required),
  id: z.string().check(z.trim(), required, atMost(VEHICLE_ID_MAX)),
});

/** The rules of an asset's profile (specification section 5, Asset). Vehicle id is the registry number's label. */
export const thingSchema = z.object({
  nickname: z.string().check(z.trim(), required, atMost(NICKNAME_MAX)),
  thingTypeId: z.string().check(required),
  thingSubtypeId: z.string(),
  vinNumber: z.string().check(
    z.trim(),
    z.refine(text => /^[A-Za-z0-9]*$/.test(text), ALPHANUMERIC),
  ),
  plateNumber: z.string().check(z.trim(), atMost(PLATE_MAX)),
  registryNumber: z.string().check(z.trim(), atMost(REGISTRY_MAX)),
  integrations: z.array(integration).check(
    z.maxLength(INTEGRATIONS_MAX),
    z.check(context => {
      const seen = new Set<string>();
      context.value.forEach((row, i) => {
        if (row.name !== '' && seen.has(row.name)) {
          context.issues.push({ code: 'custom', message: DUPLICATE, path: [i, 'name'], input: row.name });
        }
        seen.add(row.name);
      });
    }),
  ),
  inService: z.boolean(REQUIRED),
  isPubliclyReporting: z.boolean(REQUIRED),
});

export type ThingForm = z.infer<typeof thingSchema>;

/** What the form begins with. */
export function formOf(thing: Thing): ThingForm {
  return {
    nickname: thing.nickname,
    thingTypeId: thing.thingTypeId,
    thingSubtypeId: thing.thingSubtypeId,
    vinNumber: thing.vinNumber,
    plateNumber: thing.plateNumber,
    registryNumber: thing.registryNumber,
    integrations: thing.integrations.map(i => ({ name: i.name, id: i.id })),
    inService: thing.inService,
    isPubliclyReporting: thing.isPubliclyReporting,
  };
}

/** The body of PUT things/{id} (specification section 3, "Update payload"). */
export type ThingUpdate = Schemas['ThingWrite'];

type OptionalText =
  | 'nickname'
  | 'thing_type_id'
  | 'thing_subtype_id'
  | 'vin_number'
  | 'license_plate_number'
  | 'registry_number';

/**
 * What a save sends: id, in_service and is_publicly_alerting always, the rest only when filled. A field that was
 * filled and has been cleared is sent as an empty text, an integration that was taken away with `is_deleted`.
 */
export function updateOf(thing: Thing, form: ThingForm): ThingUpdate {
  const update: ThingUpdate = {
    id: thing.id,
    in_service: form.inService,
    is_publicly_alerting: form.isPubliclyReporting,
  };
  const put = (name: OptionalText, value: string, before: string) => {
    if (value !== '' || before !== '') update[name] = value;
  };
  put('nickname', form.nickname, thing.nickname);
  put('thing_type_id', form.thingTypeId, thing.thingTypeId);
  put('thing_subtype_id', form.thingSubtypeId, thing.thingSubtypeId);
  put('vin_number', form.vinNumber, thing.vinNumber);
  put('license_plate_number', form.plateNumber, thing.plateNumber);
  put('registry_number', form.registryNumber, thing.registryNumber);
  const identifiers = identifiersOf(thing, form);
  if (identifiers.length > 0) update.external_identifiers = identifiers;
  return update;
}

function identifiersOf(thing: Thing, form: ThingForm): Schemas['ExternalIdentifierWrite'][] {
  const kept = form.integrations.map(i => ({ identifier_id: i.id, system_name: i.name, is_deleted: false }));
  const gone = thing.integrations
    .filter(i => !form.integrations.some(f => f.name === i.name))
    .map(i => ({ identifier_id: i.id, system_name: i.name, is_deleted: true }));
  return [...kept, ...gone];
}

/** Fields of the form by their wire names: where the server's sentences about fields go. */
export const FIELD_OF_WIRE: Readonly<Record<string, keyof ThingForm>> = {
  nickname: 'nickname',
  thing_type_id: 'thingTypeId',
  thing_subtype_id: 'thingSubtypeId',
  vin_number: 'vinNumber',
  license_plate_number: 'plateNumber',
  registry_number: 'registryNumber',
  external_identifiers: 'integrations',
  in_service: 'inService',
  is_publicly_alerting: 'isPubliclyReporting',
} satisfies PerField<ThingUpdate, keyof ThingForm>;

/** Which fields another person's save and this form disagree about, in the form's order. */
export function differingFields(mine: ThingForm, theirs: ThingForm): (keyof ThingForm)[] {
  const names = Object.keys(mine) as (keyof ThingForm)[];
  return names.filter(name => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]));
}

/** The asset as it stands now, of a refused save; undefined when the refusal shows none. */
export const conflictRow = ({ status, current }: Failure): WireThing | undefined =>
  status === 409 && current && 'haas_id' in current ? current : undefined;

/** How many characters may still be typed; the counter warns within 5 of the limit. */
export function remaining(text: string, max: number): { left: number; warns: boolean } {
  const left = max - characters(text);
  return { left, warns: left <= 5 };
}
