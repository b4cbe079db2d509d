import { SIGN_GLYPHS, SIGN_PLATES, SIGN_PX, type SignGlyph, type SignLook, type SignShape } from './layers/signs';

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

/** A sign as it stands behind the assets: outlined, in a color that the ground has a part in. */
export function QuietSign({ shape, color, glyph }: { shape: SignShape; color: string; glyph: SignGlyph }) {
  const tone = `color-mix(in srgb, var(--${color}) 80%, var(--land))`;
  return <SignMark look={{ shape, fill: 'var(--panel)', edge: tone, ink: tone }} glyph={glyph} size={20} />;
}
