import { type CSSProperties, useMemo } from 'react';
import { cx } from '~/lib/cx';
import { useStore } from '~/lib/store';
import type { MapController } from '../controller';
import { TRIP_FORMS, TRIP_PX } from '../layers/tripMarks';
import type { MapHead } from '../types';
import cards from './cards.module.css';
import styles from './placed.module.css';
import { anchored } from './useMap';

/** Assets of a playback, above all that is of now. What they say stands beside the clock as well. */
export function Heads({ controller }: { controller: MapController }) {
  const heads = useStore(controller.heads);
  return heads.map(head => <Head key={head.id} controller={controller} head={head} />);
}

function formOf({ course, unknown }: MapHead): keyof typeof TRIP_FORMS {
  if (unknown !== '') return 'hollow';
  return course === null ? 'round' : 'head';
}

function Head({ controller, head }: { controller: MapController; head: MapHead }) {
  const { id } = head;
  const anchor = useMemo(
    () => anchored(controller, () => controller.heads.get().find(one => one.id === id) ?? null, null),
    [controller, id],
  );
  const form = formOf(head);
  const { path, width } = TRIP_FORMS[form];
  const turn = form === 'head' ? { rotate: `${head.course}deg` } : undefined;
  return (
    <div
      ref={anchor}
      className={cx(cards.anchor, styles.head)}
      style={{ '--color': `var(--trip-${head.color + 1})` } as CSSProperties}
      data-form={form}
      aria-hidden="true"
    >
      <svg viewBox={`0 0 ${TRIP_PX} ${TRIP_PX}`} width={TRIP_PX} height={TRIP_PX} style={turn} role="presentation">
        <path d={path} strokeWidth={width} />
      </svg>
      <b>{head.letter}</b>
      {head.unknown !== '' && <span>{head.unknown}</span>}
    </div>
  );
}
