import { describe, expect, it } from 'vitest';
import { Failure, say } from '~/api';
import { failureOf } from '~/api/failure';
import { replayed } from '~/api/recorded';
import { makeThing } from '~/model/testing';
import { thingOfWire } from '~/model/thing';
import { errorOf } from '~/ui/errorOf';
import { accessEdits, accessLines, mayEditAccess, mayEditThing } from './access';
import {
  conflictRow,
  differingFields,
  formOf,
  PROVIDERS,
  remaining,
  type ThingForm,
  thingSchema,
  updateOf,
} from './form';

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
    expect(textOf({ plateNumber: long }, 'plateNumber')).toBe('Must be 50 or fewer characters');
    expect(textOf({ registryNumber: long }, 'registryNumber')).toBe('Must be 50 or fewer characters');
    expect(textOf({ integrations: [{ name: 'geotab', id: long }] }, 'integrations.0.id')).toBe(
      'Must be 50 or fewer characters',
    );
    expect(textOf({ plateNumber: 'x'.repeat(50), registryNumber: '' }, 'plateNumber')).toBeUndefined();
  });

  // spec: 5.asset.04
  it('takes letters and numbers only as VIN', () => {
    expect(textOf({ vinNumber: 'AB-1' }, 'vinNumber')).toBe('Please only use numbers or letters');
    expect(textOf({ vinNumber: 'AB1 ' }, 'vinNumber')).toBeUndefined();
    expect(textOf({ vinNumber: '' }, 'vinNumber')).toBeUndefined();
  });

  // spec: 5.asset.05, 5.asset.11
  it('wants a type and both switches', () => {
    expect(textOf({ thingTypeId: '' }, 'thingTypeId')).toBe('Required');
    const { inService: _i, isPubliclyReporting: _p, ...without } = base;
    const result = thingSchema.safeParse(without);
    expect(result.error?.issues.map(i => [i.path[0], i.message])).toEqual([
      ['inService', 'Required'],
      ['isPubliclyReporting', 'Required'],
    ]);
  });

  // spec: 5.asset.08, 5.asset.09, 5.asset.10, 9.list.07, 9.limits.20
  it('wants provider and id, two integrations at most, each provider once', () => {
    expect(PROVIDERS).toEqual(['geotab', 'samsara']);
    expect(textOf({ integrations: [{ name: '', id: 'a' }] }, 'integrations.0.name')).toBe('Required');
    expect(textOf({ integrations: [{ name: 'geotab', id: ' ' }] }, 'integrations.0.id')).toBe('Required');
    const twice = [
      { name: 'geotab', id: 'a' },
      { name: 'geotab', id: 'b' },
    ];
    expect(textOf({ integrations: twice }, 'integrations.1.name')).toBe('Provider already used');
    const three = [...twice, { name: 'samsara', id: 'c' }];
    expect(thingSchema.safeParse({ ...base, integrations: three }).success).toBe(false);
    expect(thingSchema.safeParse({ ...base, integrations: [twice[0], { name: 'samsara', id: 'c' }] }).success).toBe(
      true,
    );
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
    const update = updateOf(thing, { ...base, vinNumber: '', integrations: [{ name: 'samsara', id: 'S1' }] });
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

  it('finds the present state of a conflict and what differs from it', () => {
    for (const body of [undefined, null, 7, {}, { current: 7 }, { current: [] }, { current: { id: 'a' } }])
      expect(conflictRow(failureOf(409, body, new Headers()))).toBeUndefined();
    expect(differingFields(base, { ...base, plateNumber: 'X', integrations: [] })).toEqual([
      'plateNumber',
      'integrations',
    ]);
  });

  it('reads the present state as the server says it', async () => {
    const refused = async (name: 'updateThing.conflict' | 'updateUser.conflict' | 'setDeviceConfig.conflict') => {
      const answer = replayed(name);
      return failureOf(answer.status, await answer.json(), answer.headers);
    };
    const failure = await refused('updateThing.conflict');
    expect(conflictRow(failure)).toMatchObject({ haas_id: 'MOVING', nickname: 'Engine 4', version: 3 });
    const row = conflictRow(failure);
    expect(row && formOf(thingOfWire(row, 0))).toMatchObject({ nickname: 'Engine 4', plateNumber: 'FD 1' });
    // A user and a configuration are told from an asset.
    for (const other of ['updateUser.conflict', 'setDeviceConfig.conflict'] as const) {
      const told = await refused(other);
      expect(told.current).toHaveProperty('version');
      expect(conflictRow(told)).toBeUndefined();
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

  it('lists everybody who has or may get access and sends only changes', () => {
    const lines = accessLines(related, lists);
    expect(lines).toEqual([
      { organizationId: 'x', name: 'alpha', choice: 'delete' },
      { organizationId: 'm', name: 'Zulu', choice: 'manager' },
    ]);
    expect(accessEdits(lines, lines)).toEqual([]);
    const after = lines.map(l => ({
      ...l,
      choice: l.organizationId === 'm' ? ('delete' as const) : ('accessor' as const),
    }));
    expect(accessEdits(lines, after)).toEqual([
      { organization_uuid: 'x', relationship_type: 'accessor' },
      { organization_uuid: 'm', relationship_type: 'delete' },
    ]);
  });
});
