import type { ClosureType } from '~/model/closure';
import type { MapTokens } from '../tokens';
import type { SignGlyph, SignLook } from './signs';

/** How a closure's sign looks: the diamond of work zones, filled while it is active, else outlined. */
export const closureLook = (paints: Pick<MapTokens, 'activeMark' | 'activeMarkInk' | 'standby' | 'panel'>) => ({
  active: { shape: 'diamond', fill: paints.activeMark, edge: paints.panel, ink: paints.activeMarkInk } as SignLook,
  else: { shape: 'diamond', fill: paints.panel, edge: paints.standby, ink: paints.standby } as SignLook,
});

const GLYPHS: Readonly<Record<ClosureType, SignGlyph>> = { automated: 'arrow_board', feed: 'feed', manual: 'work' };

/** Who says that it stands: a cone for people, a board, a feed. */
export const closureGlyph = (type: ClosureType): SignGlyph => GLYPHS[type];
