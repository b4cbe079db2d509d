import { closureGlyph, closureLook } from '~/map/layers/closureSign';
import { QuietSign, SignMark } from '~/map/SignMark';
import type { ClosureType } from '~/model/closure';

const LOOK = closureLook({
  activeMark: 'var(--active-mark)',
  activeMarkInk: 'var(--active-mark-ink)',
  standby: 'var(--standby)',
  panel: 'var(--panel)',
});

/** The mark of a closure, the same as on the map: filled while it is active, else outlined. */
export function ClosureMark({ type, isActive, size = 34 }: { type: ClosureType; isActive: boolean; size?: number }) {
  return <SignMark look={isActive ? LOOK.active : LOOK.else} glyph={closureGlyph(type)} size={size} />;
}

/** The mark of the closed roads behind the assets. */
export const LayerMark = () => <QuietSign shape="diamond" color="active" glyph={closureGlyph('manual')} />;
