import { useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { createStore, type Store, useStore } from '~/lib/store';
import type { Drawing, DrawState } from '~/map/draw/drawing';
import { countOf } from '~/model/format';
import { Instructions, TOUCH_STEPS } from '~/section/Instructions';
import { useDrawing } from '~/section/useDrawing';
import { useWords as useOrganizationWords } from '~/section/words';
import { ErrorNotice, Notice, useWords } from '~/ui';
import { ClosureDescribe } from './ClosureDescribe';
import {
  type Directions,
  directionIn,
  distanceText,
  FILLED,
  type Filled,
  isDetour,
  type LatLng,
  lineOf,
  metersAlong,
  sayRoute,
  useDirections,
} from './directions';
import { type ClosureDraft, routeIn, routeText, WAYPOINTS_MAX } from './form';
import styles from './form.module.css';
import { patchView } from './view';

type Form = UseFormReturn<ClosureDraft>;
const STEPS = [
  'Click the map where drivers first reach the closure.',
  'Click along the road to where it ends. The line follows the road between your points.',
  'To finish, click the last point again, or press Enter.',
  'Drag a point to move it. The line follows. Drag the small mark between two points to add one.',
  'Select a point and press Delete to remove it.',
  'To work without a mouse, use the Drawing panel on the map: type coordinates, or move a point with the arrow keys.',
  'Use Undo (Ctrl+Z) and Redo (Ctrl+Shift+Z) to step back and forward.',
] as const;
const BY_TOUCH = [
  'Tap the map where drivers first reach the closure.',
  'Tap along the road to where it ends, then tap Finish. The line follows the road between your points.',
  ...TOUCH_STEPS,
] as const;
const TOUCHED = { shouldDirty: true, shouldTouch: true };

/** The line of a closure: points set on the map, by hand or by keys, and the road through them. */
export function ClosureLine({ form, id }: { form: Form; id: string }) {
  const { control } = form;
  const [clicked, along] = useWatch({ control, name: ['user_route', 'calculated_route'] });
  const drawing = useDrawing({
    kind: 'line',
    initial: lineOf(routeIn(form.getValues('user_route'))),
    mostPoints: WAYPOINTS_MAX,
  });
  useTaken(drawing, form);
  useFirst(drawing, form);
  const road = useRoad(drawing, form);
  // Until the new line is known the old one stays in sight: it is not what would be saved.
  const shown = useRef<readonly LatLng[]>([]);
  const line = routeIn(along);
  if (line.length > 1 || routeIn(clicked).length < 2) shown.current = line;
  const guide = shown.current;
  useEffect(() => drawing?.guide(guide), [drawing, guide]);
  useEffect(() => {
    patchView({ draft: id });
    return () => patchView({ draft: null });
  }, [id]);
  useWords('user_route', 'Points', value => `${routeIn(String(value)).length} points`);
  const { user_route, calculated_route } = form.formState.errors;
  const error = (user_route ?? calculated_route)?.message;
  return (
    <fieldset className={styles.line}>
      <legend className="visually-hidden">Line</legend>
      {drawing && <ClosureDescribe drawing={drawing} form={form} />}
      <Instructions view="closure" title="How to draw a closure" steps={STEPS} touchSteps={BY_TOUCH} />
      <p className={styles.sum}>
        <Sum clicked={routeIn(clicked)} line={line} />
      </p>
      {road.failure !== null && (
        <ErrorNotice onRetry={() => void road.retry()}>{sayRoute(road.failure)} The line is straight.</ErrorNotice>
      )}
      {road.way?.is_routed === false && <Notice>No road or route was found here. The line is straight.</Notice>}
      {road.way?.is_routed && isDetour(metersAlong(line), metersAlong(routeIn(clicked))) && (
        <Notice tone="warn">
          The line takes a long detour. Set your points on one road, in the direction of traffic.
        </Notice>
      )}
      {error && (
        <p role="alert" className={styles.wrong}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** What stands, in words. */
function Sum({ clicked, line }: { clicked: readonly LatLng[]; line: readonly LatLng[] }) {
  const { speedUnit } = useOrganizationWords();
  const { length } = clicked;
  if (length === 0) return 'Nothing is drawn yet.';
  const points = countOf(length, 'point');
  if (length === 1) return `${points}.`;
  return line.length > 1 ? `${points}, ${distanceText(metersAlong(line), speedUnit)}.` : `${points}. Finding the road…`;
}

/** A form that begins at a place has one point, which is no line yet: it is the first that is drawn. */
function useFirst(drawing: Drawing | null, form: Form): void {
  const [begun] = useState(() => routeIn(form.getValues('user_route')));
  useEffect(() => {
    const [place, more] = begun;
    if (drawing && place && !more && drawing.state.get().draft.points.length === 0) drawing.move(0, place);
  }, [drawing, begun]);
}

/** The form says what is drawn; a line that was changed has no road yet. */
function useTaken(drawing: Drawing | null, form: Form): void {
  useEffect(() => {
    if (!drawing) return;
    let was = drawing.state.get().canUndo ? null : drawing.state.get().draft;
    const take = () => {
      const { draft } = drawing.state.get();
      if (draft === was) return;
      was = draft;
      // The points first: what was found for the old ones must not be taken for theirs.
      form.setValue('user_route', routeText(draft.points), { ...TOUCHED, shouldValidate: draft.isClosed });
      form.setValue('calculated_route', '', TOUCHED);
      if (!draft.isClosed) form.clearErrors(['user_route', 'calculated_route']);
    };
    take();
    return drawing.state.subscribe(take);
  }, [drawing, form]);
}

const NO_DRAWING = createStore<null>(null) as Store<DrawState | null>;

/** Asks for the road through what is drawn, also under a hand that still holds a point, and fills in what it says. */
function useRoad(drawing: Drawing | null, form: Form) {
  const live = useLive(drawing);
  const clicked = useWatch({ control: form.control, name: 'user_route' });
  const points = live ?? routeIn(clicked);
  const isKnown = useWatch({ control: form.control, name: 'calculated_route' }) !== '';
  const asked = useDirections(points, !isKnown || live !== null);
  /** what was filled in, and nobody has changed since */
  const filled = useRef<Partial<Filled>>({});
  const { way, failure } = asked;
  const settled = routeText(asked.points);
  useEffect(() => {
    if (drawing && live && way && settled === routeText(live)) drawing.guide(way.route);
  }, [drawing, live, way, settled]);
  const isWanted = !live && !isKnown && settled === clicked;
  useEffect(() => {
    // Asked of the form again: a point may have been moved since this was rendered.
    const [points, along] = form.getValues(['user_route', 'calculated_route']);
    if (!isWanted || points !== settled || along !== '') return;
    const line = way?.route ?? (failure ? asked.points : []);
    if (line.length < 2) return;
    form.setValue('calculated_route', routeText(line), TOUCHED);
    if (way) fill(form, filled.current, said(way));
  }, [form, isWanted, way, failure, settled, asked.points]);
  const retry = async () => {
    const answer = await asked.retry();
    if (!answer || form.getValues('user_route') !== settled) return;
    form.setValue('calculated_route', routeText(answer.route), TOUCHED);
    fill(form, filled.current, said(answer));
  };
  return { way: isKnown ? way : undefined, failure: isKnown ? failure : null, retry };
}

const said = (way: Directions) => ({
  road_name: way.road_name,
  street_start: way.street_start,
  street_end: way.street_end,
  direction: directionIn(way),
});

function fill(form: Form, filled: Partial<Record<string, string>>, values: ReturnType<typeof said>): void {
  for (const name of FILLED) {
    const now = form.getValues(name);
    if (now !== '' && now !== filled[name]) continue; // someone has said it otherwise
    filled[name] = values[name];
    if (values[name] !== now) form.setValue(name, values[name], { ...TOUCHED, shouldValidate: true });
  }
}

/** The points under a pointer that holds one; null while none does. */
function useLive(drawing: Drawing | null): readonly LatLng[] | null {
  const state: Store<DrawState | null> = (drawing?.state as Store<DrawState | null> | undefined) ?? NO_DRAWING;
  return useStore(state, now => now?.live?.points ?? null);
}
