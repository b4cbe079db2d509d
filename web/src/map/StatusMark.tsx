import type { CSSProperties } from 'react';
import { GLYPH_STROKE, GLYPH_UNITS, GLYPHS, LOOKS, SHAPES, type ShapePart, SLASH, showsCourse } from './marks';
import type { MapTokens } from './tokens';
import type { MarkStatus, MarkType } from './types';

export interface StatusMarkProps {
  status: MarkStatus;
  type: MarkType;
  /** Degrees clockwise from north; null when unknown. */
  course?: number | null | undefined;
  /** m/s; the drop points only while the asset moves. */
  speed?: number | undefined;
  inService?: boolean | undefined;
  stale?: boolean | undefined;
  /** CSS px of the square; 34 in rows, 48 in the detail head. */
  size?: number | undefined;
  /** Spoken name; without it the mark is decoration beside its word. */
  label?: string | undefined;
}

// The page's tokens have the same names in kebab case (ui/tokens.css).
const VARS: Partial<Record<keyof MapTokens, string>> = {
  activeMark: 'active-mark',
  activeMarkInk: 'active-mark-ink',
  activeEdge: 'active-edge',
  sceneInk: 'scene-ink',
};
const css = (token: keyof MapTokens | undefined): string => (token ? `var(--${VARS[token] ?? token})` : 'none');

function Part({ part }: { part: ShapePart }) {
  return (
    <path
      d={part.d}
      fill={css(part.fill)}
      stroke={css(part.stroke)}
      strokeWidth={part.width}
      strokeDasharray={part.dash?.join(' ')}
      strokeLinecap={part.dash ? 'butt' : 'round'}
      paintOrder={part.edge ? 'stroke' : undefined}
    />
  );
}

/** The shape of a status alone, small: it stands beside its word. */
export function ShapeMark({ status, size = 18 }: { status: MarkStatus; size?: number }) {
  const { shape, line } = LOOKS[status];
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" overflow="visible" aria-hidden="true">
      {SHAPES[status === 'ACTIVE' ? 'drop' : shape].map(part => (
        <Part key={part.d} part={part} />
      ))}
      {status === 'OOS' && <path d={SLASH.d} stroke={css(line)} strokeWidth={SLASH.width} strokeLinecap="round" />}
    </svg>
  );
}

const STALE: CSSProperties = { opacity: 0.55 };

/**
 * The mark of an asset, the same in lists, details and on the map: the shape says
 * the status, the glyph the type, a slash that it is out of service.
 */
export function StatusMark(props: StatusMarkProps) {
  const { status, type, course = null, speed = 0, inService = true, stale = false, size = 34, label } = props;
  const look = LOOKS[status];
  const pointing = showsCourse(status, course, speed, stale);
  const parts = SHAPES[pointing ? 'drop' : look.shape];
  const inset = 16 - look.glyphPx / 2;
  const slashed = !inService || status === 'OOS';
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden beside its word
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      overflow="visible"
      style={stale ? STALE : undefined}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <g transform={pointing ? `rotate(${course} 16 16)` : undefined}>
        {parts.map(part => (
          <Part key={part.d} part={part} />
        ))}
      </g>
      <path
        transform={`translate(${inset} ${inset}) scale(${look.glyphPx / GLYPH_UNITS})`}
        d={GLYPHS[type]}
        fill="none"
        stroke={css(look.ink)}
        strokeWidth={GLYPH_STROKE}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      {slashed && (
        <>
          <path d={SLASH.d} stroke="var(--halo)" strokeWidth={SLASH.haloWidth} />
          <path d={SLASH.d} stroke={css(look.line)} strokeWidth={SLASH.width} strokeLinecap="round" />
        </>
      )}
    </svg>
  );
}
