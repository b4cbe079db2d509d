import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CornerDownLeft } from 'lucide-react';
import { type KeyboardEvent, useRef, useState, useSyncExternalStore } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useDebounced } from '~/lib/debounce';
import { useStore } from '~/lib/store';
import type { Drawing } from '~/map/draw/drawing';
import { mapHolder } from '~/section/view';
import { announce, Button, InsideButton, TextField } from '~/ui';
import {
  askDescribed,
  type Directions,
  directionsKey,
  FILLED,
  type Filled,
  type LatLng,
  lineOf,
  sayDescribed,
} from './directions';
import { type ClosureDraft, routeIn, routeText } from './form';
import styles from './form.module.css';

interface Props {
  drawing: Drawing;
  form: UseFormReturn<ClosureDraft>;
}

/** A line that was laid, and what stood in the form before. */
interface Laid {
  label: string;
  route: string;
  before: Filled & Pick<ClosureDraft, 'user_route'>;
}

const LETTERS_MAX = 200;
/** A shorter text names no road and place. */
const LEAST_LETTERS = 6;
const never = () => () => undefined;

/** Lays the line of a closure from words; nothing where the server knows no roads. */
export function ClosureDescribe(props: Props) {
  const map = useStore(mapHolder);
  const hasRoads = useSyncExternalStore(map?.subscribe ?? never, () => map?.getState().hasRoads ?? false);
  return hasRoads ? <Described {...props} /> : null;
}

function Described({ drawing, form }: Props) {
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [laid, setLaid] = useState<Laid | null>(null);
  const near = useRef<LatLng | null>(null);
  const client = useQueryClient();
  const typed = text.trim();
  const meant = useMeant(typed, near.current);
  const route = useWatch({ control: form.control, name: 'user_route' });
  const take = async (choice?: number) => {
    if (isBusy || typed === '') return;
    setBusy(true);
    try {
      const way = await client.fetchQuery(described(typed, near.current, choice));
      if (way.choices) {
        const many = way.choices.length;
        return announce(many === 1 ? '1 line matches. Choose it if it is right.' : `${many} lines match. Choose one.`);
      }
      const before = keptOf(form);
      const points = lay(drawing, way);
      client.setQueryData(directionsKey(points), way);
      for (const name of FILLED) form.setValue(name, '', TOUCHED);
      setLaid({ label: way.label ?? typed, route: routeText(points), before });
      setText('');
      announce(`Line drawn: ${way.label}.`);
    } catch (error) {
      setFailure(sayDescribed(error));
    } finally {
      setBusy(false);
    }
  };
  const undo = ({ before: { user_route, ...filled } }: Laid) => {
    drawing.set(lineOf(routeIn(user_route)));
    for (const name of FILLED) form.setValue(name, filled[name], TOUCHED);
    setLaid(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault(); // it would send the form
    void take();
  };
  return (
    <div className={styles.describe}>
      <TextField
        label="Road and Limits"
        hint="A road and its limits: “I-95 N, exit 5 to exit 7”, “Main St from 2nd to 5th Ave”. Press Enter to draw the line."
        value={text}
        maxLength={LETTERS_MAX}
        error={failure}
        autoComplete="off"
        onFocus={() => {
          near.current = mapHolder.get()?.view()?.middle ?? null;
        }}
        onChange={next => {
          setText(next);
          setFailure(undefined);
        }}
        onKeyDown={onKeyDown}
        after={
          <InsideButton label="Draw the line" onPress={() => void take()}>
            <CornerDownLeft size={16} aria-hidden />
          </InsideButton>
        }
      />
      <Meant way={meant} onChoose={choice => void take(choice)} />
      {laid && laid.route === route && (
        <p className={styles.laid}>
          {laid.label}.{' '}
          <Button size="small" variant="ghost" onPress={() => undo(laid)}>
            Undo
          </Button>
        </p>
      )}
    </div>
  );
}

const TOUCHED = { shouldDirty: true, shouldTouch: true };

function keptOf(form: Props['form']): Laid['before'] {
  const { user_route, road_name, street_start, street_end, direction } = form.getValues();
  return { user_route, road_name, street_start, street_end, direction };
}

/** Puts the line's points in the place of what is drawn, and brings it into sight; the points as they are kept. */
function lay(drawing: Drawing, way: Directions): readonly LatLng[] {
  drawing.set(lineOf(way.waypoints ?? []));
  const lats = way.route.map(({ lat }) => lat);
  const lngs = way.route.map(({ lng }) => lng);
  mapHolder.get()?.fitBounds({
    south: Math.min(...lats),
    west: Math.min(...lngs),
    north: Math.max(...lats),
    east: Math.max(...lngs),
  });
  return drawing.state.get().draft.points;
}

const described = (text: string, near: LatLng | null, choice?: number) => ({
  queryKey: ['directions', 'described', text, near, choice],
  queryFn: ({ signal }: { signal: AbortSignal }) => askDescribed(text, near, choice, signal),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** What the text means so far, once the hand rests; a text that is not whole yet means nothing, which is no error. */
function useMeant(text: string, near: LatLng | null): Directions | undefined {
  const settled = useDebounced(text);
  const isAsked = settled === text && text.length >= LEAST_LETTERS;
  const { data } = useQuery({ ...described(settled, near), enabled: isAsked });
  return isAsked ? data : undefined;
}

/** What Enter would lay, or the lines to choose from. */
function Meant({ way, onChoose }: { way: Directions | undefined; onChoose: (choice: number) => void }) {
  if (!way) return null;
  if (!way.choices) return <p className={styles.laid}>Press Enter for {way.label}.</p>;
  return (
    <fieldset className={styles.choices}>
      <legend>Which one?</legend>
      {way.choices.map(({ label, near, start, end }, at) => (
        <Button key={`${label} ${start.lat} ${end.lat}`} size="small" onPress={() => onChoose(at + 1)}>
          {near === '' ? label : `${label}, ${near}`}
        </Button>
      ))}
    </fieldset>
  );
}
