import { type KeyboardEvent, useMemo, useState } from 'react';
import { cx } from '~/lib/cx';
import type { MapController } from '../controller';
import type { Hit } from '../layers/rows';
import cards from './cards.module.css';
import { anchored, useMapState } from './useMap';

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** What stands on the map, by the keyboard: one stop of the Tab key, arrows from one to the next; each opens its card. */
export function Places({ controller }: { controller: MapController }) {
  const places = useMapState(controller, state => state.places);
  const [current, setCurrent] = useState<string | null>(null);
  const stop = places.some(({ id }) => id === current) ? current : places[0]?.id;
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll('button')];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    all.at((at + by) % all.length)?.focus();
  };
  if (places.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div role="group" aria-label="On the map" onKeyDown={step}>
      {places.map(hit => (
        <Place
          key={hit.id}
          controller={controller}
          hit={hit}
          isStop={hit.id === stop}
          onFocus={() => setCurrent(hit.id)}
        />
      ))}
    </div>
  );
}

interface PlaceProps {
  controller: MapController;
  hit: Hit;
  isStop: boolean;
  onFocus: () => void;
}

function Place({ controller, hit, isStop, onFocus }: PlaceProps) {
  const { kind, id } = hit;
  const pinned = useMapState(controller, state => state.pinned.includes(id));
  const anchor = useMemo(() => anchored(controller, () => controller.standing.placeOf(id), null), [controller, id]);
  const title = controller.cards.source?.(kind, id, controller.serverNow())?.title;
  return (
    <button
      type="button"
      ref={anchor}
      className={cx(cards.anchor, cards.place)}
      aria-label={title ?? kind}
      aria-pressed={pinned}
      tabIndex={isStop ? 0 : -1}
      onFocus={() => {
        onFocus();
        controller.cards.hover({ kind, id });
      }}
      onBlur={() => controller.cards.hover(null)}
      onClick={() => controller.pin(id, !pinned)}
      onKeyDown={event => {
        if (event.key === 'Escape') controller.cards.hover(null);
        else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
          event.preventDefault();
          controller.openMenuAt(controller.standing.placeOf(id));
        }
      }}
    />
  );
}
