import catalog from '@catalog/texts.json';
import { Search as SearchGlyph, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { cx } from '~/lib/cx';
import type { MapController } from '../controller';
import { parseLatLng } from '../coordinates';
import styles from './map.module.css';
import over from './over.module.css';
import { useFocusBack, useMapState } from './useMap';

/** The coordinate search box: 'lat, lng' and Enter. */
export function Finder({ controller }: { controller: MapController }) {
  const open = useMapState(controller, state => state.finderOpen);
  const [text, setText] = useState('');
  return open ? <Search controller={controller} text={text} onText={setText} /> : null;
}

interface SearchProps {
  controller: MapController;
  text: string;
  onText: (text: string) => void;
}

function Search({ controller, text, onText }: SearchProps) {
  const [refused, setRefused] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const hintId = useId();
  useFocusBack(controller, form);
  const find = (): void => {
    const place = parseLatLng(text);
    setRefused(place === null);
    if (place) controller.find(place);
  };
  return (
    <>
      <form
        ref={form}
        data-over-map
        className={cx(styles.float, over.finder)}
        onSubmit={event => {
          event.preventDefault();
          find();
        }}
      >
        <SearchGlyph size={16} aria-hidden />
        <input
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for this box
          autoFocus
          value={text}
          placeholder="41.8623, -87.6167"
          aria-label="Coordinates: latitude, longitude"
          aria-invalid={refused}
          aria-describedby={refused ? hintId : undefined}
          onChange={event => {
            onText(event.target.value);
            setRefused(false);
          }}
          onKeyDown={event => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            controller.toggleFinder();
          }}
        />
        <button
          type="button"
          className={styles.pin}
          aria-label="Close"
          title="Close"
          onClick={() => controller.toggleFinder()}
        >
          <X />
        </button>
      </form>
      {refused && (
        <div id={hintId} role="alert" className={cx(styles.float, over.finderHint)}>
          {catalog.texts.empty.location}
        </div>
      )}
    </>
  );
}

/** The notice of the map: files that cannot be had, a provider that cannot be reached, a position that is refused. */
export function NoticeBar({ controller }: { controller: MapController }) {
  const notice = useMapState(controller, state => state.notice);
  const trying = useMapState(controller, state => state.phase === 'loading');
  return (
    <div role="status">
      {notice && (
        <div className={cx(styles.float, over.notice)} data-over-map>
          {notice.text}
          {notice.code === 'unloaded' ? (
            // It goes by itself: without it an empty map would have no reason.
            <button type="button" className={styles.action} aria-disabled={trying} onClick={() => controller.retry()}>
              Retry
            </button>
          ) : (
            <button
              type="button"
              className={styles.pin}
              aria-label="Dismiss"
              title="Dismiss"
              onClick={() => controller.dismissNotice()}
            >
              <X />
            </button>
          )}
        </div>
      )}
    </div>
  );
}
