import enums from '@catalog/enums.json';
import type { PerField, Schemas } from '~/api';

/** An asset as its administrators see it; what it does just now is the Live section's. */
export interface Asset {
  id: string;
  /** The nickname, else the system name. */
  name: string;
  systemName: string;
  externalId: string;
  typeId: string;
  deviceType: string;
  organizationId: string;
  organizationName: string;
  inService: boolean;
  vin: string;
  plate: string;
  registry: string;
  relations: readonly string[];
}

export function assetOf(wire: Schemas['Thing']): Asset {
  return {
    id: wire.id,
    name: wire.nickname || wire.haas_id.toUpperCase(),
    systemName: wire.haas_id,
    externalId: wire.external_id,
    typeId: wire.thing_type_id,
    deviceType: wire.device_type,
    organizationId: wire.organization.id,
    organizationName: wire.organization.name,
    inService: wire.in_service,
    vin: wire.vin_number,
    plate: wire.license_plate_number,
    registry: wire.registry_number,
    relations: wire.organization_relationships.map(one => `${one.organization_name} (${one.relationship_type})`),
  };
}

/** A type's name; '–' for one that is not known. */
export const typeName = (id: string): string => enums.thingTypes.find(type => type.id === id)?.displayName ?? '–';

export const typeOptions = enums.thingTypes.map(type => ({ id: type.id, label: type.displayName }));

export const deviceOptions = [
  { id: 'api', label: 'Gateway or phone (API)' },
  { id: 'ha5', label: 'HA5 transponder' },
  { id: 'ha7', label: 'HA7 transponder' },
] as const;

export const deviceName = (id: string): string => deviceOptions.find(device => device.id === id)?.label ?? id;

/** Whether a device takes a configuration from here. */
export const isConfigurable = (asset: Asset): boolean => asset.deviceType !== 'api';

/** Case-insensitive substring of everything an asset is known by; a type. */
export function filterAssets(assets: readonly Asset[], text: string, typeId: string): Asset[] {
  const words = text.trim().toLowerCase();
  return assets.filter(
    asset =>
      (typeId === '' || asset.typeId === typeId) &&
      (words === '' ||
        [asset.name, asset.systemName, asset.externalId, asset.vin, asset.plate, asset.registry].some(known =>
          known.toLowerCase().includes(words),
        )),
  );
}

/** Device configuration as it is typed (specification section 5: all required, the two pins differ). */
export interface ConfigForm {
  model: string;
  platform: string;
  fileName: string;
  heartbeatInterval: string;
  warningLightPin: string;
  indicatorPin: string;
  locationType: string;
}

export const FIELD_OF_WIRE: Readonly<Record<string, keyof ConfigForm>> = {
  model: 'model',
  platform: 'platform',
  file_name: 'fileName',
  heartbeat_interval: 'heartbeatInterval',
  warning_light_pin: 'warningLightPin',
  indicator_pin: 'indicatorPin',
  location_type: 'locationType',
} satisfies PerField<Schemas['DeviceConfigWrite'], keyof ConfigForm>;

/** What the form begins with; a device that was never configured begins empty. */
export function configFormOf(wire: Schemas['DeviceConfig']): ConfigForm {
  const number = (n: number) => (wire.version === 0 ? '' : String(n));
  return {
    model: wire.model,
    platform: wire.platform,
    fileName: wire.file_name,
    heartbeatInterval: number(wire.heartbeat_interval),
    warningLightPin: number(wire.warning_light_pin),
    indicatorPin: number(wire.indicator_pin),
    locationType: wire.location_type,
  };
}

/** What is wrong with a configuration, by field; empty when nothing is. */
export function configErrors(form: ConfigForm): Partial<Record<keyof ConfigForm, string>> {
  const errors: Partial<Record<keyof ConfigForm, string>> = {};
  for (const [name, value] of Object.entries(form) as [keyof ConfigForm, string][]) {
    if (value.trim() === '') errors[name] = 'Required';
    else if (NUMBERS.includes(name) && !/^\d{1,6}$/.test(value.trim())) errors[name] = 'Must be a whole number';
  }
  if (!errors.indicatorPin && Number(form.indicatorPin) === Number(form.warningLightPin))
    errors.indicatorPin = 'Cannot be the same as Warning Light Pin';
  return errors;
}

const NUMBERS: readonly (keyof ConfigForm)[] = ['heartbeatInterval', 'warningLightPin', 'indicatorPin'];

export const configOf = (form: ConfigForm): Schemas['DeviceConfigWrite'] => ({
  model: form.model.trim(),
  platform: form.platform.trim(),
  file_name: form.fileName.trim(),
  heartbeat_interval: Number(form.heartbeatInterval),
  warning_light_pin: Number(form.warningLightPin),
  indicator_pin: Number(form.indicatorPin),
  location_type: form.locationType.trim(),
});
