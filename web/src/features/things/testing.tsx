// The Live section drawn in a page of its own, for tests.
import type { WireThing } from '~/api';
import { liveStore } from '~/live';
import { T0 } from '~/live/testing';
import { openSection, stageSection } from '~/section/testing';
import { things } from './section';

export { byText, host, press, reload, says, see, text } from '~/section/testing';

export const stageThings = stageSection;

/** The whole list of assets, as it came at T0. */
export const load = (...rows: WireThing[]) => liveStore.applyRows(rows, T0, T0, true);

/** Draws the section at an address and waits until a text stands there. */
export const openThings = (path: string, until: string) => openSection(things, path, until);
