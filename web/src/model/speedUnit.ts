import enums from '@catalog/enums.json';

export type SpeedUnit = 'mph' | 'km/h';

/** mph in the countries of the catalog, km/h elsewhere (requirements 9.format). */
export function speedUnit(countryCode: string): SpeedUnit {
  return enums.mphCountries.includes(countryCode.toUpperCase()) ? 'mph' : 'km/h';
}
