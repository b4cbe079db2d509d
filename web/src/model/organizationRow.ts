type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

/** Fields that the app reads without asking. */
const NEEDED: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: value => isText(value) && value !== '',
  name: isText,
  timezone: isText,
  country_code: isText,
  organization_type: value => isObject(value) && isText(value.name) && typeof value.acs === 'boolean',
  organization_managers: Array.isArray,
  organization_accessors: Array.isArray,
};

/** Whether a row of an answer is an organization; one that is not is left out (requirements 5.data). */
export function isOrganizationRow(row: unknown): boolean {
  return isObject(row) && Object.entries(NEEDED).every(([name, fits]) => fits(row[name]));
}
