import { Search as SearchGlyph, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { cx } from '~/lib/cx';
import { liveStore } from '~/live';
import { searchOf } from '~/model/search';
import type { MapController } from '../controller';
import type { OwnRow } from '../types';
import styles from './map.module.css';
import over from './over.module.css';
import { PlaceSearch } from './PlaceSearch';
import type { Suggestion } from './SuggestBox';
import { useFocusBack, useMapState } from './useMap';

/** Assets that a search offers beside places. */
const ASSETS_MOST = 4;

export interface FinderProps {
  controller: MapController;
  /** What is found of the organization's own beside assets. */
  own?: ((text: string) => readonly OwnRow[]) | undefined;
}

/** The search box of the map: what the organization has, then coordinates, Plus Codes, and places of the region. */
export function Finder({ controller, own }: FinderProps) {
  const open = useMapState(controller, state => state.finderOpen);
  const [text, setText] = useState('');
  return open ? <Search controller={controller} own={own} text={text} onText={setText} /> : null;
}

interface SearchProps extends FinderProps {
  text: string;
  onText: (text: string) => void;
}

function Search({ controller, own, text, onText }: SearchProps) {
  const form = useRef<HTMLFormElement>(null);
  useFocusBack(controller, form);
  // What is the organization's is opened, as a click on its mark does, instead of leaving a pin where it was.
  const others = (asked: string): readonly Suggestion[] => [
    ...liveStore.find(searchOf(asked), ASSETS_MOST).map(({ id, primaryDisplayName, secondaryDisplayName }) => ({
      key: id,
      label: primaryDisplayName,
      hint: secondaryDisplayName || 'Asset',
      choose: () => controller.openAsset(id),
    })),
    ...(own?.(asked) ?? []).map(({ id, label, hint, path }) => ({
      key: id,
      label,
      hint,
      choose: () => controller.openCardLink(path),
    })),
  ];
  return (
    <PlaceSearch
      formRef={form}
      label="Search the map: coordinates, street, intersection, address, Plus Code, asset, area, closure or event"
      placeholder="41.8623, -87.6167"
      finds="Street, crossing, coordinates, Plus Code, or unit"
      text={text}
      onText={onText}
      near={() => controller.view()?.middle ?? null}
      onPlace={place => controller.find(place)}
      others={others}
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
