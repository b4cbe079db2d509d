import { MapPin, X } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatLatLng } from '~/lib/coordinates';
import { cx } from '~/lib/cx';
import { streetAt } from '~/model/places';
import { addShortcuts } from '~/session/shortcuts';
import type { MapController } from '../controller';
import type { FoundPin, LatLng, PlaceItem } from '../types';
import { Ways } from './Cards';
import cards from './cards.module.css';
import styles from './map.module.css';
import { PlaceCodes } from './PlaceCodes';
import placed from './placed.module.css';
import { anchored, useMapState } from './useMap';

/** The pin of a place that was searched for or asked about, with what is known of it. */
export function Found({ controller, items = [] }: { controller: MapController; items?: readonly PlaceItem[] }) {
  const found = useMapState(controller, state => state.found);
  const offered = items.filter(item => item.isOfPins);
  return found && <Pin key={`${found.lat}/${found.lng}`} controller={controller} found={found} items={offered} />;
}

/** The street at a place that came without a name; null until it is known, or where there is none. */
function useStreet(at: LatLng, wanted: boolean): { label: string; near: string } | null {
  const [street, setStreet] = useState<{ label: string; near: string } | null>(null);
  const { lat, lng } = at;
  useEffect(() => {
    if (!wanted) return;
    const abort = new AbortController();
    // The name is a courtesy: without it the coordinates stand there.
    streetAt({ lat, lng }, abort.signal).then(setStreet, () => undefined);
    return () => abort.abort();
  }, [lat, lng, wanted]);
  return street;
}

/** Esc takes the pin away, wherever on the map the focus is; the screen beside the map hears it after that. */
function useEscape(controller: MapController, ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const remove = (): void => {
      if (ref.current?.contains(document.activeElement)) controller.focus();
      controller.find(null);
    };
    return addShortcuts({
      get keys() {
        const isOnMap = ref.current?.closest('[data-map]')?.contains(document.activeElement);
        return isOnMap ? { Escape: remove } : {};
      },
    });
  }, [controller, ref]);
}

interface PinProps {
  controller: MapController;
  found: FoundPin;
  items: readonly PlaceItem[];
}

function Pin({ controller, found, items }: PinProps) {
  const ref = useRef<HTMLElement>(null);
  const isPlacing = useMapState(controller, state => state.isPlacing);
  const hasWords = useMapState(controller, state => state.hasWords);
  const tip = useMemo(() => anchored(controller, () => controller.getState().found, null), [controller]);
  const anchor = useMemo(() => anchored(controller, () => controller.getState().found, 'below'), [controller]);
  const street = useStreet(found, !found.near);
  useEscape(controller, ref);
  const coordinates = formatLatLng(found);
  // Coordinates stand below anyway: what they are near to says more.
  const name = found.label === coordinates ? undefined : found.label;
  const title = name ?? (street ? `Near ${street.label}` : 'Dropped pin');
  const near = found.near || (name === undefined ? street?.near : '');
  // What has come makes the card higher: it stays in the free room.
  useLayoutEffect(() => {
    if (title) controller.anchors.update();
  }, [controller, title]);
  return (
    <>
      <div ref={tip} className={cx(cards.anchor, placed.found)} aria-hidden="true">
        <MapPin className={placed.foundPin} />
      </div>
      {!isPlacing && (
        <section
          ref={element => {
            ref.current = element;
            return anchor(element);
          }}
          className={cx(cards.anchor, styles.float, placed.foundCard)}
          aria-label={`Pin at ${coordinates}`}
        >
          <h2>
            <span className={cards.names}>
              <span className={cards.title}>{title}</span>
              {near && <small> {near}</small>}
            </span>
            <button
              type="button"
              className={styles.pin}
              aria-label="Remove pin"
              title="Remove pin"
              onClick={() => controller.find(null)}
            >
              <X />
            </button>
          </h2>
          <PlaceCodes place={found} hasWords={hasWords} />
          <div className={cards.actions}>
            <Ways place={found} />
          </div>
          {items.length > 0 && (
            <div className={cards.actions}>
              {items.map(({ label, Icon, act }) => (
                <button key={label} type="button" className={styles.action} onClick={() => act(found)}>
                  <Icon />
                  {label}
                </button>
              ))}
            </div>
          )}
        </section>
      )}
    </>
  );
}
