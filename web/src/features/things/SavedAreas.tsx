import { MapPinned } from 'lucide-react';
import { useState } from 'react';
import { say } from '~/api';
import { useStore } from '~/lib/store';
import { useRows } from '~/live';
import { SuggestBox } from '~/map/stage/SuggestBox';
import { type Area, areaTypeText } from '~/model/area';
import { boxOf } from '~/model/areaShape';
import { searchOf } from '~/model/search';
import { useSavedAreas } from '~/section/savedAreas';
import { mapHolder } from '~/section/view';
import { useCan, useIsPhone } from '~/session';
import styles from './filters.module.css';

const LABEL = 'Jump to your saved areas...';

/** The user's saved areas: choosing one fits the map to it. A phone has the room only where there are some. */
export function SavedAreas() {
  const map = useStore(mapHolder);
  const isPhone = useIsPhone();
  const maySee = useCan('VIEW_AREAS');
  const { data: ids, error } = useSavedAreas();
  const [text, setText] = useState('');
  const all = useRows('area');
  if (!map || !maySee || (isPhone && !ids?.length)) return null;
  const search = searchOf(text);
  const saved = (ids ?? []).flatMap(id => all.find(area => area.id === id) ?? []);
  const jump = (area: Area) => {
    const [west, south, east, north] = boxOf(area);
    setText('');
    map.fitBounds({ west, south, east, north });
  };
  const list = saved
    .filter(area => area.searchKey.includes(search))
    .map(area => ({ key: area.id, label: area.name, hint: areaTypeText(area), choose: () => jump(area) }));
  const words = error
    ? { text: say('rows.load', error), isBad: true }
    : ids && list.length === 0
      ? {
          text: saved.length > 0 ? 'No saved area has this name.' : 'No saved areas yet. In Areas, the star saves one.',
          isBad: false,
        }
      : null;
  return (
    <div className={styles.saved} data-none={ids?.length === 0 || undefined}>
      <SuggestBox
        label={LABEL}
        placeholder={LABEL}
        text={text}
        onText={setText}
        list={list}
        words={words}
        onEnter={marked => (marked ?? (text === '' ? null : list[0]))?.choose()}
        opensOnFocus
        isInForm
        before={<MapPinned size={16} strokeWidth={1.75} aria-hidden="true" />}
      />
    </div>
  );
}
