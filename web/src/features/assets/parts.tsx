import { Back } from '~/office';

/** The word in place of an id for the import's page. */
export const IMPORT = 'import';

export const ToAssets = () => <Back tab="thing">Assets</Back>;

/** The address of an asset's form, which Live shows beside the map. */
export const profilePath = (id: string): string => `/dashboard/things/${id}/edit/profile`;
