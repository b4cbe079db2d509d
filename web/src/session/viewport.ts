import limits from '@catalog/limits.json';
import { useMedia } from '~/lib/media';

const PHONE = `(width < ${limits.ui.breakpointMd.value}px)`;

/** Below 769 px: top bar, sheet and tabs. */
export const useIsPhone = (): boolean => useMedia(PHONE);
