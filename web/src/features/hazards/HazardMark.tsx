import { hazardLook } from '~/map/layers/hazard';
import { signGlyph } from '~/map/layers/signs';
import { QuietSign, SignMark } from '~/map/SignMark';

const LOOK = hazardLook({
  warnMark: 'var(--warn-mark)',
  warnMarkInk: 'var(--warn-mark-ink)',
  warnMarkEdge: 'var(--warn-mark-edge)',
});
const ENDED = { ...LOOK, fill: 'var(--panel)', edge: 'var(--offline)', ink: 'var(--offline)' };

/** The mark of a hazard, the same as on the map; outlined in gray once it has ended. */
export function HazardMark({ type, isActive, size = 34 }: { type: string; isActive: boolean; size?: number }) {
  return <SignMark look={isActive ? LOOK : ENDED} glyph={signGlyph(type)} size={size} />;
}

/** The mark of the hazards behind the assets. */
export const LayerMark = () => <QuietSign shape="triangle" color="warn" glyph="other" />;
