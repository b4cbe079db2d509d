import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import type { Schemas } from '~/api';
import { assetLines } from '~/model/assetLines';
import { needed, required, rulesOf, text } from '~/model/rules';

/** An asset as its administrators see it, as the wire has it. */
export type Asset = Schemas['Thing'];

/** The nickname, else the system name. */
export const assetName = (asset: Pick<Asset, 'nickname' | 'haas_id'>): string =>
  asset.nickname || asset.haas_id.toUpperCase();

/** A type's name; '–' for one that is not known. */
export const typeName = (id: string): string => enums.thingTypes.find(type => type.id === id)?.displayName ?? '–';

export const typeOptions = enums.thingTypes.map(type => ({ id: type.id, label: type.displayName }));

export const deviceOptions = [
  { id: 'api', label: 'Gateway or phone (API)' },
  { id: 'ha5', label: 'HA5 transponder' },
  { id: 'ha7', label: 'HA7 transponder' },
] as const;

export const deviceName = (id: string): string => deviceOptions.find(device => device.id === id)?.label ?? id;

/** Everything an asset is searched by. */
export const wordsOf = (asset: Asset): string[] => [
  assetName(asset),
  asset.haas_id,
  asset.external_id,
  ...Object.keys(assetLines).map(name => asset[name as keyof typeof assetLines]),
];

const { nickname } = limits.text;

export const nameLines = {
  haas_id: { label: 'System name', rule: needed(nickname.value), isRequired: true },
  nickname: { label: 'Nickname', rule: text(nickname.value) },
};

/** The rules of a new asset. */
export const assetSchema = z.object({
  ...rulesOf(nameLines),
  ...rulesOf(assetLines),
  thing_type_id: z.string().check(required),
  device_type: z.string(),
});

const number = z.string().check(z.trim(), required, z.regex(/^(\d{1,6})?$/, 'Must be a whole number'));
const word = z.string().check(z.trim(), required);

/** Device configuration as it is typed (requirements 5.device: all required, the two pins differ). */
export const configLines = {
  model: { label: 'Model', rule: word, isRequired: true },
  platform: { label: 'Platform', rule: word, isRequired: true },
  file_name: { label: 'File name', rule: word, isRequired: true },
  location_type: { label: 'Location type', rule: word, isRequired: true },
  heartbeat_interval: { label: 'Heartbeat interval (s)', rule: number, isRequired: true },
  warning_light_pin: { label: 'Warning Light Pin', rule: number, isRequired: true },
  indicator_pin: { label: 'Indicator Pin', rule: number, isRequired: true },
} as const;

export const configSchema = z.object(rulesOf(configLines)).check(
  z.refine(form => Number(form.indicator_pin) !== Number(form.warning_light_pin), {
    path: ['indicator_pin'],
    error: 'Cannot be the same as Warning Light Pin',
    when: () => true,
  }),
);

/** What the form begins with; a device that was never configured begins empty. */
export function readConfig(config: Schemas['DeviceConfig']) {
  const number = (n: number) => (config.version === 0 ? '' : String(n));
  return {
    heartbeat_interval: number(config.heartbeat_interval),
    warning_light_pin: number(config.warning_light_pin),
    indicator_pin: number(config.indicator_pin),
  };
}

export const configOf = (form: z.infer<typeof configSchema>): Schemas['DeviceConfigWrite'] => ({
  ...form,
  heartbeat_interval: Number(form.heartbeat_interval),
  warning_light_pin: Number(form.warning_light_pin),
  indicator_pin: Number(form.indicator_pin),
});
