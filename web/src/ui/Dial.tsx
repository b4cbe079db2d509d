import type { KeyboardEvent, PointerEvent } from 'react';
import styles from './Dial.module.css';

export interface DialProps {
  /** the accessible name */
  label: string;
  /** degrees clockwise from north; null: none yet */
  value: number | null;
  onChange: (degrees: number) => void;
  /** how a direction is said: "NE, 45 degrees" */
  say: (degrees: number) => string;
}

const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 45,
  PageDown: -45,
};

/** Whole degrees from 0 to 359. */
const turned = (degrees: number) => ((Math.round(degrees) % 360) + 360) % 360;

/** A direction, to be turned by pointer or keys: arrows by 1 degree, with Shift by 10, Page Up and Down by 45, Home and End to its ends. */
export function Dial({ label, value, onChange, say }: DialProps) {
  const turnTo = (event: PointerEvent<HTMLDivElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - left - width / 2;
    const y = event.clientY - top - height / 2;
    onChange(turned((Math.atan2(x, -y) * 180) / Math.PI));
  };
  const take = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    turnTo(event);
  };
  const press = (event: KeyboardEvent) => {
    const by = KEYS[event.key];
    if (event.key === 'Home') onChange(0);
    else if (event.key === 'End') onChange(360);
    else if (by === undefined) return;
    else onChange(turned((value ?? 0) + (event.shiftKey && Math.abs(by) === 1 ? by * 10 : by)));
    event.preventDefault();
  };
  return (
    <div
      className={styles.dial}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={360}
      aria-valuenow={value ?? 0}
      aria-valuetext={value === null ? 'Not set' : say(value)}
      onPointerDown={take}
      onPointerMove={event => event.currentTarget.hasPointerCapture(event.pointerId) && turnTo(event)}
      onKeyDown={press}
    >
      <svg viewBox="-50 -50 100 100" aria-hidden="true">
        <circle className={styles.ring} r="44" />
        {[0, 45, 90, 135, 180, 225, 270, 315].map(tick => (
          <path
            key={tick}
            className={styles.tick}
            d={tick % 90 === 0 ? 'M0 -44V-37' : 'M0 -44V-40'}
            transform={`rotate(${tick})`}
          />
        ))}
        <text y="-26">N</text>
        {value !== null && (
          <g transform={`rotate(${value})`}>
            <path className={styles.needle} d="M0 22V-30M-7 -22 0 -31 7 -22" />
          </g>
        )}
      </svg>
    </div>
  );
}
