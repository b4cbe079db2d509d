import enums from '@catalog/enums.json';
import { describe, expect, it } from 'vitest';
import { AssetColumns, faceOf, MARK_STATUSES, type MapAsset, type MarkStatus, markCode, typeCode } from './batch';
import { Status } from './status';

const asset: MapAsset = {
  row: 4,
  id: 'a',
  lat: 39.5,
  lng: -75.5,
  course: 90,
  speed: 3,
  status: 'ACTIVE',
  type: 'tow',
  inService: true,
  at: 1000,
  staleAt: 2000,
  shown: true,
  label: 'Tow 1',
};

describe('columns of a batch', () => {
  it('keep what the map draws of each asset', () => {
    const columns = AssetColumns.of([asset, { ...asset, id: 'b', row: 2, shown: false, lat: 40, label: 'Tow 2' }]);
    expect([columns.length, columns.end]).toEqual([2, 5]);
    expect([[...columns.row], columns.id, columns.label]).toEqual([
      [4, 2],
      ['a', 'b'],
      ['Tow 1', 'Tow 2'],
    ]);
    expect([[...columns.lat], [...columns.shown]]).toEqual([
      [39.5, 40],
      [1, 0],
    ]);
    expect([columns.at[0], columns.staleAt[0]]).toEqual([1000, 2000]);
    expect([columns.indexOf('b'), columns.indexOf('c')]).toEqual([1, -1]);
  });

  it('have a course for those that move and know it', () => {
    const columns = AssetColumns.of([asset, { ...asset, speed: 0 }, { ...asset, course: null }]);
    expect([...columns.course]).toEqual([90, Number.NaN, Number.NaN]);
  });

  it('have one byte for status, type and service; by status, out of service counts as such', () => {
    const faces = (change: Partial<MapAsset>) => AssetColumns.of([{ ...asset, ...change }]).face[0];
    const tow = enums.thingTypes.findIndex(type => type.name === 'tow');
    expect(faces({})).toBe(faceOf(Status.ACTIVE, tow, false));
    expect(faces({ inService: false })).toBe(faceOf(Status.ACTIVE, tow, true));
    expect(faces({ status: 'OOS' })).toBe(faceOf(Status.OOS, tow, true));
  });

  it('number statuses by their rank, and unknown types as the other ones', () => {
    const ranks: Partial<Record<MarkStatus, number>> = Status;
    expect(MARK_STATUSES.map(name => ranks[name])).toEqual([0, 1, 2, 3, 4, 5, 6, undefined]);
    expect(MARK_STATUSES[7]).toBe('TEST');
    expect(typeCode('no such type')).toBe(enums.thingTypes.findIndex(type => type.name === 'other'));
  });

  // spec: 4.test.01
  it('give an asset in test mode a mark of its own, whatever its status is', () => {
    const marks = [Status.LOCATION, Status.ACTIVE, Status.STANDBY].map(status => [
      MARK_STATUSES[markCode({ status, isTestModeOn: true })],
      MARK_STATUSES[markCode({ status, isTestModeOn: false })],
    ]);
    expect(marks).toEqual([
      ['TEST', 'LOCATION'],
      ['TEST', 'ACTIVE'],
      ['TEST', 'STANDBY'],
    ]);
  });
});
