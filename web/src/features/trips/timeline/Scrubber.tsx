import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useStore } from '~/lib/store';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { useWords } from '~/section/words';
import { clock, drag, seek } from '../clock';
import { shareOf, ticksOf } from './scale';
import styles from './timeline.module.css';
import { useWidth } from './useWidth';

/** The head of the clock over all lanes: it is dragged, or moved by keys. */
export function Scrubber() {
  const room = useRef<HTMLDivElement>(null);
  const rail = useRef<HTMLDivElement>(null);
  const release = useRef<(() => void) | null>(null);
  useEffect(() => {
    // Each frame while it plays: the head moves without React.
    const move = () => {
      const { at, from, to } = clock.get();
      if (rail.current) rail.current.style.transform = `translateX(${shareOf(at, from, to) * 100}%)`;
    };
    move();
    return clock.subscribe(move);
  }, []);
  useEffect(() => () => release.current?.(), []);
  const go = ({ clientX }: PointerEvent) => {
    const box = room.current?.getBoundingClientRect();
    const { from, to } = clock.get();
    if (box && box.width > 0) seek(from + ((clientX - box.left) / box.width) * (to - from));
  };
  const letGo = () => {
    release.current?.();
    release.current = null;
  };
  return (
    <div
      ref={room}
      className={styles.scrubber}
      onPointerDown={event => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        release.current ??= drag();
        go(event);
      }}
      onPointerMove={event => release.current && go(event)}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onLostPointerCapture={letGo}
    >
      <div ref={rail} className={styles.rail}>
        <Thumb />
      </div>
    </div>
  );
}

/** What has the focus and says the instant. */
function Thumb() {
  const second = useStore(clock, ({ at }) => Math.floor(at / 1000) * 1000);
  const from = useStore(clock, state => state.from);
  const to = useStore(clock, state => state.to);
  const { timeZone } = useWords();
  return (
    <div
      className={styles.thumb}
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-orientation="horizontal"
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={second}
      aria-valuetext={dateText(second, timeZone, DATE_PATTERNS.timeSeconds)}
    />
  );
}

const HALF_LABEL_PX = 20;

/** The times along the axis. */
export function Axis() {
  const from = useStore(clock, state => state.from);
  const to = useStore(clock, state => state.to);
  const { timeZone } = useWords();
  const [room, setRoom] = useState<HTMLDivElement | null>(null);
  const width = useWidth(room);
  const ticks = ticksOf(from, to, width, timeZone);
  const endOf = (at: number) => {
    const x = shareOf(at, from, to) * width;
    return x < HALF_LABEL_PX ? 'first' : x > width - HALF_LABEL_PX ? 'last' : undefined;
  };
  return (
    <div ref={setRoom} className={styles.axis} aria-hidden="true">
      {ticks.map(({ at, text }) => (
        <span key={at} data-end={endOf(at)} style={{ left: `${shareOf(at, from, to) * 100}%` }}>
          {text}
        </span>
      ))}
    </div>
  );
}
