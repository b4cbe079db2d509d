import { useMemo } from 'react';
import { encode } from 'uqr';
import { cx } from '~/lib/cx';
import styles from './Codes.module.css';

/** A QR code, drawn here: what it says goes nowhere. Dark on light in both themes, as cameras expect. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => drawn(text), [text]);
  return (
    <div className={cx(styles.qr, size > DENSE && styles.dense)}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path d={path} fill="#000" />
      </svg>
    </div>
  );
}

/** Above this many modules a side a camera needs a larger picture. */
const DENSE = 60;

function drawn(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { border: 0, ecc: 'L' });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { path, size };
}
