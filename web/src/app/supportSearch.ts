/** The address while the support dialog is open carries utm-content=supportBtn (requirements 2.chrome). */
export interface SupportSearch {
  'utm-content'?: typeof SUPPORT;
}

export const SUPPORT = 'supportBtn';

/** Reads the dashboard's query; sections read their own parts of it. */
export function supportSearch(search: Record<string, unknown>): SupportSearch {
  return search['utm-content'] === SUPPORT ? { 'utm-content': SUPPORT } : {};
}
