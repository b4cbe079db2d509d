import limits from '@catalog/limits.json';
import { useMedia } from '~/lib/media';

/**
 * A phone is small and pressed by a finger. A window that is small for another reason is a desktop: at 200 % zoom, 1440 px
 * are 720, and whoever needs that must not lose the office by it.
 */
const PHONE = `(width < ${limits.ui.breakpointMd.value}px) and (pointer: coarse)`;

/** A phone has the top bar, the sheet and the tabs. */
export const useIsPhone = (): boolean => useMedia(PHONE);

/** The same, asked once. */
export const isPhone = (): boolean => globalThis.matchMedia?.(PHONE).matches ?? false;
