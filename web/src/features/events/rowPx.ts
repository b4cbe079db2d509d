import limits from '@catalog/limits.json';
import type { Location } from '~/model/location';

const { eventRowPx, eventRowActivePx, eventRowExtraPx } = limits.lists;

/** How high a row is in px: 80, 90 while the event is active (requirements 9.ui), and a line more for an alert message. */
export const rowPx = ({ isActive, alertMessage }: Location): number =>
  (isActive ? eventRowActivePx : eventRowPx).value + (alertMessage === '' ? 0 : eventRowExtraPx.value);
