import { SIGN_GLYPHS, SIGN_PLATES, SIGN_PX, type SignGlyph, type SignLook } from './layers/signs';

/** A sign beside words, the same as on the map. */
export function SignMark({ look, glyph, size = 34 }: { look: SignLook; glyph: SignGlyph; size?: number }) {
  const { path, x, y, scale } = SIGN_PLATES[look.shape];
  return (
    <svg width={size} height={size} viewBox={`0 0 ${SIGN_PX} ${SIGN_PX}`} aria-hidden="true">
      <path d={path} fill={look.fill} stroke={look.edge} strokeWidth={2} strokeLinejoin="round" />
      <path
        d={SIGN_GLYPHS[glyph]}
        transform={`translate(${x} ${y}) scale(${scale})`}
        fill="none"
        stroke={look.ink}
        strokeWidth={2.2}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
