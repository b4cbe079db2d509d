import limits from '@catalog/limits.json';
import { alphanumeric, text } from './rules';

const { vehicleId, plate, registry } = limits.text;

/** What an asset is known by beside its names: the lines of its forms, its page and its search. */
export const assetLines = {
  vin_number: { label: 'VIN', rule: alphanumeric(vehicleId.value), isMono: true },
  license_plate_number: { label: 'Plate#', rule: text(plate.value), max: plate.value },
  registry_number: { label: 'Vehicle ID', rule: text(registry.value), max: registry.value },
} as const;
