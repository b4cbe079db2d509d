import { signGlyph } from '~/map/layers/signs';
import { zoneLook } from '~/map/layers/zone';
import { QuietSign, SignMark } from '~/map/SignMark';

const LOOK = zoneLook({
  activeMark: 'var(--active-mark)',
  activeMarkInk: 'var(--active-mark-ink)',
  standby: 'var(--standby)',
  panel: 'var(--panel)',
});

/** The mark of a zone, the same as on the map: filled while it is active, outlined on standby. */
export function ZoneMark({ type, isActive, size = 34 }: { type: string; isActive: boolean; size?: number }) {
  return <SignMark look={isActive ? LOOK.active : LOOK.else} glyph={signGlyph(type)} size={size} />;
}

/** The mark of the active zones behind the assets. */
export const LayerMark = () => <QuietSign shape="square" color="active" glyph="school" />;
