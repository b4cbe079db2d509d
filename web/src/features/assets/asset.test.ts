import { describe, expect, it } from 'vitest';
import { recorded } from '~/api/recorded';
import { configOf, configSchema, readConfig, wordsOf } from './asset';

const form = {
  model: 'HA5',
  platform: 'linux',
  file_name: 'a.bin',
  heartbeat_interval: '60',
  warning_light_pin: '4',
  indicator_pin: '5',
  location_type: 'gps',
};

/** What is wrong with a configuration, by field. */
const wrong = (over: Partial<typeof form>) =>
  Object.fromEntries(
    (configSchema.safeParse({ ...form, ...over }).error?.issues ?? []).map(one => [one.path[0], one.message]),
  );

describe('a device configuration', () => {
  // spec: 5.device.01 5.device.02
  it('needs every field, and two different pins', () => {
    expect(wrong({})).toEqual({});
    for (const name of Object.keys(form)) expect(wrong({ [name]: ' ' })).toEqual({ [name]: 'Required' });
    expect(wrong({ indicator_pin: '04' })).toEqual({ indicator_pin: 'Cannot be the same as Warning Light Pin' });
    expect(wrong({ heartbeat_interval: '1.5' })).toEqual({ heartbeat_interval: 'Must be a whole number' });
  });

  it('is sent in numbers, and begins empty when there was none', () => {
    expect(configOf(form)).toMatchObject({ heartbeat_interval: 60, indicator_pin: 5, file_name: 'a.bin' });
    const config = recorded('getDeviceConfig.ok').data;
    expect(readConfig({ ...config, version: 0 })).toMatchObject({ heartbeat_interval: '', indicator_pin: '' });
    expect(configOf({ ...form, ...readConfig(config) })).toMatchObject({ indicator_pin: config.indicator_pin });
  });
});

it('finds an asset by everything that it is known by', () => {
  const asset = recorded('getThing.ok').data;
  const { vin_number, license_plate_number, registry_number } = asset;
  expect(wordsOf({ ...asset, nickname: 'Engine 1' })).toEqual(
    expect.arrayContaining(['Engine 1', asset.haas_id, vin_number, license_plate_number, registry_number]),
  );
});
