import { describe, expect, it } from 'vitest';
import { type Asset, type ConfigForm, configErrors, configFormOf, configOf, filterAssets } from './asset';

const form: ConfigForm = {
  model: 'HA5',
  platform: 'linux',
  fileName: 'a.bin',
  heartbeatInterval: '60',
  warningLightPin: '4',
  indicatorPin: '5',
  locationType: 'gps',
};

describe('a device configuration', () => {
  // spec: 5.device.01 5.device.02
  it('needs every field, and two different pins', () => {
    expect(configErrors(form)).toEqual({});
    for (const name of Object.keys(form))
      expect(configErrors({ ...form, [name]: ' ' })).toHaveProperty(name, 'Required');
    expect(configErrors({ ...form, indicatorPin: '04' })).toEqual({
      indicatorPin: 'Cannot be the same as Warning Light Pin',
    });
    expect(configErrors({ ...form, heartbeatInterval: '1.5' })).toEqual({
      heartbeatInterval: 'Must be a whole number',
    });
  });

  it('is sent in numbers, and begins empty when there was none', () => {
    expect(configOf(form)).toMatchObject({ heartbeat_interval: 60, indicator_pin: 5, file_name: 'a.bin' });
    const none = { ...configOf(form), model: '', version: 0 };
    expect(configFormOf(none)).toMatchObject({ model: '', heartbeatInterval: '', indicatorPin: '' });
    expect(configFormOf({ ...configOf(form), version: 3 })).toEqual(form);
  });
});

describe('the list of assets', () => {
  const asset = (name: string, rest: Partial<Asset> = {}) => ({ ...blank, id: name, name, ...rest });
  const blank: Asset = {
    id: '',
    name: '',
    systemName: '',
    externalId: '',
    typeId: 'fire',
    deviceType: 'api',
    organizationId: '',
    organizationName: '',
    inService: true,
    vin: '',
    plate: '',
    registry: '',
    relations: [],
  };
  it('finds by everything an asset is known by, and by type', () => {
    const all = [asset('Engine 1', { plate: 'ABC 1' }), asset('Tow 2', { typeId: 'tow', vin: 'X9' })];
    expect(filterAssets(all, ' abc ', '').map(one => one.name)).toEqual(['Engine 1']);
    expect(filterAssets(all, 'x9', '').map(one => one.name)).toEqual(['Tow 2']);
    expect(filterAssets(all, '', 'tow').map(one => one.name)).toEqual(['Tow 2']);
    expect(filterAssets(all, 'engine', 'tow')).toEqual([]);
  });
});
