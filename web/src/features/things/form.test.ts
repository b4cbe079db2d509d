import { describe, expect, it } from 'vitest';
import { Failure, say } from '~/api';
import { failureOf } from '~/api/failure';
import { replayed } from '~/api/recorded';
import { makeThing } from '~/model/testing';
import { remaining } from '~/ui';
import { errorOf } from '~/ui/errorOf';
import { accessLines, accessSchema, mayEditAccess, mayEditThing } from './access';
import { formOf, PROVIDERS, type ThingForm, thingNow, thingSchema, updateOf } from './form';

const thing = makeThing();
const base = formOf(thing);

/** The first text a rule gives for a field, undefined when it passes. */
function textOf(over: Partial<ThingForm>, path: string): string | undefined {
  const result = thingSchema.safeParse({ ...base, ...over });
  return result.success ? undefined : result.error.issues.find(i => i.path.join('.') === path)?.message;
}

describe('the rules of an asset', () => {
  // spec: 5.asset.01, 5.asset.02
  it('wants a nickname of at most 50 characters', () => {
    expect(textOf({ nickname: '' }, 'nickname')).toBe('Required');
    expect(textOf({ nickname: '   ' }, 'nickname')).toBe('Required');
    expect(textOf({ nickname: 'x'.repeat(51) }, 'nickname')).toBe('Must be 50 or fewer characters');
    expect(textOf({ nickname: '🚒'.repeat(50) }, 'nickname')).toBeUndefined();
  });

  // spec: 5.asset.03, 9.limits.14
  it('limits plate, registry and vehicle id to 50 characters', () => {
    const long = 'x'.repeat(51);
    expect(textOf({ license_plate_number: long }, 'license_plate_number')).toBe('Must be 50 or fewer characters');
    expect(textOf({ registry_number: long }, 'registry_number')).toBe('Must be 50 or fewer characters');
    expect(
      textOf(
        { external_identifiers: [{ system_name: 'geotab', identifier_id: long }] },
        'external_identifiers.0.identifier_id',
      ),
    ).toBe('Must be 50 or fewer characters');
    expect(
      textOf({ license_plate_number: 'x'.repeat(50), registry_number: '' }, 'license_plate_number'),
    ).toBeUndefined();
  });

  // spec: 5.asset.04
  it('takes letters and numbers only as VIN', () => {
    expect(textOf({ vin_number: 'AB-1' }, 'vin_number')).toBe('Please only use numbers or letters');
    expect(textOf({ vin_number: 'AB1 ' }, 'vin_number')).toBeUndefined();
    expect(textOf({ vin_number: '' }, 'vin_number')).toBeUndefined();
  });

  // spec: 5.asset.05, 5.asset.11
  it('wants a type and both switches', () => {
    expect(textOf({ thing_type_id: '' }, 'thing_type_id')).toBe('Required');
    const { in_service: _i, is_publicly_alerting: _p, ...without } = base;
    const result = thingSchema.safeParse(without);
    expect(result.error?.issues.map(i => [i.path[0], i.message])).toEqual([
      ['in_service', 'Required'],
      ['is_publicly_alerting', 'Required'],
    ]);
  });

  // spec: 5.asset.08, 5.asset.09, 5.asset.10, 9.list.07, 9.limits.20
  it('wants provider and id, two integrations at most, each provider once', () => {
    expect(PROVIDERS).toEqual(['geotab', 'samsara']);
    expect(
      textOf({ external_identifiers: [{ system_name: '', identifier_id: 'a' }] }, 'external_identifiers.0.system_name'),
    ).toBe('Required');
    expect(
      textOf(
        { external_identifiers: [{ system_name: 'geotab', identifier_id: ' ' }] },
        'external_identifiers.0.identifier_id',
      ),
    ).toBe('Required');
    const twice = [
      { system_name: 'geotab', identifier_id: 'a' },
      { system_name: 'geotab', identifier_id: 'b' },
    ];
    expect(textOf({ external_identifiers: twice }, 'external_identifiers.1.system_name')).toBe('Provider already used');
    const three = [...twice, { system_name: 'samsara', identifier_id: 'c' }];
    expect(thingSchema.safeParse({ ...base, external_identifiers: three }).success).toBe(false);
    expect(
      thingSchema.safeParse({
        ...base,
        external_identifiers: [twice[0], { system_name: 'samsara', identifier_id: 'c' }],
      }).success,
    ).toBe(true);
  });
});

describe('the update payload', () => {
  // spec: 3.thing.20, 3.thing.21
  it('always has the three and the rest only when filled', () => {
    const blank = makeThing({
      vinNumber: '',
      plateNumber: '',
      registryNumber: '',
      nickname: '',
      thingSubtypeId: '',
      integrations: [],
    });
    expect(updateOf(blank, { ...formOf(blank), nickname: 'Engine 4' })).toEqual({
      id: 'thing-1',
      in_service: true,
      is_publicly_alerting: true,
      nickname: 'Engine 4',
      thing_type_id: blank.thingTypeId,
    });
  });

  it('sends what was cleared as empty and what was taken away as deleted', () => {
    const update = updateOf(thing, {
      ...base,
      vin_number: '',
      external_identifiers: [{ system_name: 'samsara', identifier_id: 'S1' }],
    });
    expect(update.vin_number).toBe('');
    expect(update.external_identifiers).toEqual([
      { identifier_id: 'S1', system_name: 'samsara', is_deleted: false },
      { identifier_id: 'G9F021', system_name: 'geotab', is_deleted: true },
    ]);
  });
});

describe('the form', () => {
  it('shows errors only when touched and dirty, or after a failed submit', () => {
    const error = { message: 'Required' };
    expect(errorOf({ isTouched: true, isDirty: false, error }, { submitCount: 0 })).toBe(undefined);
    expect(errorOf({ isTouched: false, isDirty: true, error }, { submitCount: 0 })).toBe(undefined);
    expect(errorOf({ isTouched: true, isDirty: true, error }, { submitCount: 0 })).toBe(error.message);
    expect(errorOf({ isTouched: false, isDirty: false, error }, { submitCount: 1 })).toBe(error.message);
  });

  // spec: 5.counter.01
  it('warns within 5 characters of the maximum', () => {
    expect(remaining('x'.repeat(44), 50)).toEqual({ left: 6, warns: false });
    expect(remaining('x'.repeat(45), 50)).toEqual({ left: 5, warns: true });
  });

  it('reads the present state of a conflict as the server says it', async () => {
    const told = async (name: 'updateThing.conflict' | 'updateUser.conflict' | 'setDeviceConfig.conflict') => {
      const answer = replayed(name);
      return failureOf(answer.status, await answer.json(), answer.headers).current ?? {};
    };
    const now = thingNow(await told('updateThing.conflict'));
    expect(now).toMatchObject({ version: 3 });
    expect(now && formOf(now)).toMatchObject({ nickname: 'Engine 4', license_plate_number: 'FD 1' });
    // A user and a configuration are told from an asset.
    for (const other of ['updateUser.conflict', 'setDeviceConfig.conflict'] as const) {
      expect(await told(other)).toHaveProperty('version');
      expect(thingNow(await told(other))).toBeUndefined();
    }
  });

  // spec: 8.asset.01, 8.asset.02, 8.asset.03, 8.asset.04, 8.asset.05
  it('says the catalog’s texts of a failed save', () => {
    const failed = (status: number, message: string) => say('thing.update', new Failure({ status, code: '', message }));
    expect(failed(0, '')).toBe('Connection failed');
    expect(failed(422, 'Thing not found')).toBe('Asset not found');
    expect(failed(422, 'The nickname is taken')).toBe('Asset nickname cannot be updated');
    expect(failed(422, 'VIN is odd')).toBe('VIN is odd');
    expect(failed(500, '')).toBe('Unknown failure');
  });

  // spec: 8.asset.06, 8.asset.07, 8.asset.08
  it('says the catalog’s texts of a failed read', () => {
    const failed = (status: number, message: string) => say('things.load', new Failure({ status, code: '', message }));
    expect(failed(0, '')).toBe('Connection failed');
    expect(failed(404, '')).toBe('Asset not found');
    expect(failed(422, 'Timed out')).toBe('Request timed out');
    expect(failed(422, 'odd')).toBe('Something went wrong');
    expect(failed(418, '')).toBe('Unknown failure');
  });
});

describe('organization access', () => {
  const lists = { managers: [{ id: 'm', name: 'Zulu' }], accessors: [{ id: 'x', name: 'alpha' }] };
  const none = { managers: [], accessors: [] };
  const related = makeThing({
    relationships: [{ organizationId: 'm', organizationName: 'Zulu', relationType: 'manager' }],
  });

  // spec: 6.assoc.01, 2.things.13
  it('can be edited with permission and relations, or managers or accessors', () => {
    expect(mayEditAccess(related, none, true)).toBe(true);
    expect(mayEditAccess(thing, lists, true)).toBe(true);
    expect(mayEditAccess(thing, none, true)).toBe(false);
    expect(mayEditAccess(related, lists, false)).toBe(false);
  });

  // spec: 6.thing.01, 2.things.12
  it('needs the permission and more than reading reach', () => {
    const own = { id: 'org-1', relation: 'own' as const };
    expect(mayEditThing(thing, own, true)).toBe(true);
    expect(mayEditThing(thing, own, false)).toBe(false);
    expect(mayEditThing(thing, { id: 'org-1', relation: 'accessed' }, true)).toBe(false);
    const read = makeThing({
      relationships: [{ organizationId: 'o', organizationName: 'O', relationType: 'accessor' }],
    });
    expect(mayEditThing(read, { id: 'o', relation: 'own' }, true)).toBe(false);
    expect(mayEditThing(related, { id: 'm', relation: 'own' }, true)).toBe(true);
  });

  it('lists everybody who has or may get access', () => {
    const lines = accessLines(related, lists);
    expect(lines).toEqual([
      { organizationId: 'x', name: 'alpha', choice: 'delete' },
      { organizationId: 'm', name: 'Zulu', choice: 'manager' },
    ]);
    const choices = accessSchema(lines);
    expect(choices.safeParse({ x: 'accessor', m: 'delete' }).success).toBe(true);
    expect(choices.safeParse({ x: 'owner', m: 'delete' }).success).toBe(false);
  });
});
