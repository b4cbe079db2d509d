import { type Ref, useMemo, useState } from 'react';
import { askedId } from '~/lib/uuid';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { useFoundThings } from '~/section/foundThings';
import { Mark } from '~/section/Mark';
import { useWords } from '~/section/words';
import { PickField } from '~/ui';
import { useNames } from './names';
import { TripMark } from './TripMark';
import type { Coverage } from './wire';

interface AssetPickerProps {
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
  /** when each was heard of; undefined while nobody knows */
  coverage: readonly Coverage[] | undefined;
  hint: string;
  error: string | undefined;
  inputRef: Ref<HTMLInputElement>;
}

/** Chooses assets of those that the user sees, by their names and numbers. */
export function AssetPicker({ chosen, onChange, coverage, ...field }: AssetPickerProps) {
  const [text, setText] = useState('');
  const names = useNames(chosen);
  const found = useFoundThings(text);
  const options = useMemo(
    () =>
      found.map(thing => ({
        id: thing.id,
        label: [thing.primaryDisplayName, thing.secondaryDisplayName].filter(Boolean).join(' · '),
        icon: <Mark thing={thing} size={20} />,
      })),
    [found],
  );
  return (
    <PickField
      label="Assets"
      placeholder="Name or number"
      options={options}
      text={text}
      onText={setText}
      empty={text === '' ? 'No assets yet' : 'No asset has this name or number'}
      chosen={chosen.map((id, index) => ({
        id,
        label: names[index] ?? '',
        icon: <TripMark index={index} size={22} />,
      }))}
      onChange={onChange}
      aside={id => coverage && <Until id={id} coverage={coverage} />}
      {...field}
    />
  );
}

/** Up to when an asset was heard of in the chosen time. */
function Until({ id, coverage }: { id: string; coverage: readonly Coverage[] }) {
  const { timeZone } = useWords();
  const spans = coverage.find(one => one.thing_id === askedId(id))?.spans ?? [];
  const last = Math.max(0, ...spans.map(span => instantOf(span.end)));
  return (
    <small>
      {last === 0 ? 'No data in this time' : `Data until ${dateText(last, timeZone, `LLL d, ${DATE_PATTERNS.time}`)}`}
    </small>
  );
}
