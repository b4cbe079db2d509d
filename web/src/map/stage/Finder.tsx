import { Search as SearchGlyph, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { cx } from '~/lib/cx';
import { liveStore } from '~/live';
import { searchOf } from '~/model/search';
import type { MapController } from '../controller';
import styles from './map.module.css';
import over from './over.module.css';
import { PlaceSearch } from './PlaceSearch';
import type { Suggestion } from './SuggestBox';
import { useFocusBack, useMapState } from './useMap';

/** Assets that a search offers beside places. */
const ASSETS_MOST = 4;

/** The search box of the map: coordinates, streets and crossings, addresses, Plus Codes and assets. */
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
  const form = useRef<HTMLFormElement>(null);
  useFocusBack(controller, form);
  // An asset moves: it is opened, as a click on its mark does, instead of leaving a pin where it was.
  const assets = (asked: string): readonly Suggestion[] =>
    liveStore.find(searchOf(asked), ASSETS_MOST).map(({ id, primaryDisplayName, secondaryDisplayName }) => ({
      key: id,
      label: primaryDisplayName,
      hint: secondaryDisplayName || 'Asset',
      choose: () => controller.openAsset(id),
    }));
  return (
    <PlaceSearch
      formRef={form}
      label="Search the map: coordinates, street, intersection, address, Plus Code or asset"
      placeholder="41.8623, -87.6167"
      text={text}
      onText={onText}
      near={() => controller.view()?.middle ?? null}
      onPlace={place => controller.find(place)}
      others={assets}
      onEscape={() => controller.toggleFinder()}
      autoFocus
      before={<SearchGlyph size={16} aria-hidden />}
      after={
        <button
          type="button"
          className={styles.pin}
          aria-label="Close"
          title="Close"
          onClick={() => controller.toggleFinder()}
        >
          <X />
        </button>
      }
    />
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
