import { Trash2 } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { formatLatLng, parseLatLng } from '~/lib/coordinates';
import { useStore } from '~/lib/store';
import { liveStore } from '~/live';
import type { Drawing } from '~/map/draw/drawing';
import { type Draft, type Drawn, positionOf } from '~/map/draw/shape';
import { squareMeters } from '~/model/areaShape';
import { countOf } from '~/model/format';
import { Instructions, TOUCH_STEPS } from '~/section/Instructions';
import { useDrawing } from '~/section/useDrawing';
import { Button, Segmented, Select, useWords } from '~/ui';
import styles from './areas.module.css';
import {
  type AreaDraft,
  drawnAs,
  geometryIn,
  geometryText,
  isUndrawn,
  SHAPES,
  type ShapeId,
  shapeError,
  typeById,
} from './form';
import { rowOf } from './layer';
import { closedRing, type RingAt, ringAt, ringLabel, ringsIn, withoutRing, withRing } from './rings';
import { shapesNear } from './snap';
import { patchView } from './view';
import { sizeFact } from './words';

type Form = UseFormReturn<AreaDraft>;
const OUTLINE: RingAt = { part: 0, ring: 0 };
/** How to draw one, of the shapes that are offered. */
function stepsOf(shapes: readonly (typeof SHAPES)[number][]): {
  steps: readonly string[];
  touchSteps: readonly string[];
} {
  const line = shapes.some(one => one.id === 'line');
  const choose = `Choose a shape: ${line ? 'polygon, line, or circle' : 'polygon or circle'}.`;
  return {
    steps: [
      choose,
      'Polygon: click the map to set each point. To finish, click the first point again, or press Enter or Finish.',
      ...(line
        ? ['Line: click the map to set each point. To finish, click the last point again, or press Enter or Finish.']
        : []),
      'Circle: click the map to set its center, then drag its edge to change the radius.',
      'Drag a point to move it. Drag the small mark between two points to add one. ' +
        'Select a point and press Delete, or the trash button, to remove it.',
      'To work without a mouse, use the Drawing panel on the map: type coordinates, or move a point with the arrow keys.',
      'Use Undo (Ctrl+Z) and Redo (Ctrl+Shift+Z) to step back and forward.',
    ],
    touchSteps: [
      choose,
      `${line ? 'Polygon and line' : 'Polygon'}: tap the map to set each point, then tap Finish.`,
      'Circle: tap the map to set its center, then drag its edge to change the radius.',
      ...TOUCH_STEPS,
    ],
  };
}

/** The shape of an area: drawn on the map, by hand or by keys. */
export function AreaShape({ form, id }: { form: Form; id: string }) {
  const { control, setValue, getValues, formState } = form;
  const [shape, typeId, text] = useWatch({ control, name: ['shape', 'ez_type_id', 'area_geom'] });
  const isExclusion = typeById(typeId)?.isExclusion ?? false;
  const drawn = useMemo(() => (shape === 'circle' ? null : geometryIn(text)), [shape, text]);
  const closed = drawn && drawn.type !== 'LineString' ? drawn : null;
  const rings = closed ? ringsIn(closed) : [];
  const [chosen, setChosen] = useState(OUTLINE);
  const at = rings.find(one => isSame(one, chosen)) ?? OUTLINE;
  // A line cannot have holes and parts: who wants one deletes them.
  const offered = SHAPES.filter(one => one.id !== 'line' || shape === 'line' || (!isExclusion && rings.length < 2));
  const choose = (next: ShapeId) => {
    form.clearErrors(['area_geom', 'point_geom', 'radius_dist']);
    setValue('area_geom', drawnAs(next, getValues('area_geom')), TOUCHED);
    setValue('shape', next, TOUCHED);
  };
  useWords('shape', 'Shape', value => SHAPES.find(one => one.id === value)?.label ?? '');
  useWords('area_geom', 'Points', value => pointsText(String(value)));
  useWords('point_geom', 'Center');
  useWords('radius_dist', 'Radius', value => `${value} m`);
  const { area_geom, point_geom, radius_dist } = formState.errors;
  const error = (area_geom ?? point_geom ?? radius_dist)?.message;
  return (
    <fieldset className={styles.shape}>
      <legend className="visually-hidden">Shape</legend>
      <Instructions view="area" title="How to draw an area" {...stepsOf(offered)} />
      <Segmented label="Shape" value={shape} onChange={next => choose(next as ShapeId)} options={offered} />
      {closed && rings.length > 1 && (
        <div className={styles.part}>
          <Select
            label="Edit"
            options={rings.map(one => ({ id: keyOf(one), label: ringLabel(closed, one) }))}
            value={keyOf(at)}
            onChange={key => setChosen(rings.find(one => keyOf(one) === key) ?? OUTLINE)}
          />
          <Button
            size="small"
            icon={<Trash2 size={15} strokeWidth={1.75} aria-hidden="true" />}
            onPress={() => {
              setValue('area_geom', geometryText(withoutRing(closed, at)), { ...TOUCHED, shouldValidate: true });
              setChosen(OUTLINE);
            }}
          >
            Delete {at.ring > 0 ? 'hole' : 'part'}
          </Button>
        </div>
      )}
      <DrawnShape key={`${shape}/${Math.max(1, rings.length)}/${keyOf(at)}`} form={form} id={id} kind={shape} at={at} />
      {error && (
        <p role="alert" className={styles.shapeError}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

const TOUCHED = { shouldDirty: true, shouldTouch: true };
const isSame = (a: RingAt, b: RingAt) => a.part === b.part && a.ring === b.ring;
const keyOf = ({ part, ring }: RingAt) => `${part}.${ring}`;

function pointsText(text: string): string {
  const drawn = geometryIn(text);
  if (!drawn) return 'None';
  if (drawn.type === 'LineString') return countOf(drawn.coordinates.length, 'point');
  const count = ringsIn(drawn).reduce((sum, at) => sum + Math.max(0, ringAt(drawn, at).length - 1), 0);
  return countOf(count, 'point');
}

interface DrawnShapeProps {
  form: Form;
  id: string;
  kind: ShapeId;
  at: RingAt;
}

/** What is drawn at the moment: the whole shape, or one ring of it. */
function DrawnShape({ form, id, kind, at }: DrawnShapeProps) {
  const { control, getValues } = form;
  const [text, center, radius] = useWatch({ control, name: ['area_geom', 'point_geom', 'radius_dist'] });
  const said = kind === 'circle' ? `${center} ${radius}` : text;
  const draftWith = (drawn: Drawn): AreaDraft => ({ ...getValues(), ...valuesOf(drawn, getValues('area_geom'), at) });
  const drawing = useDrawing({
    kind,
    initial: drawnOf(getValues(), at),
    radiusM: Number(radius) || 0,
    check: drawn => shapeError(draftWith(drawn))?.[1] ?? null,
    describe: drawn => sizeOf(draftWith(drawn)),
    snapTo: useMemo(() => shapesNear(id), [id]),
  });
  useBoth(drawing, form, said, at);
  useOthersOnMap(id, text, kind, at);
  return <p className={styles.drawn}>{drawing && <Sum drawing={drawing} />}</p>;
}

/** What stands, in words; what is wrong with it stands below. */
function Sum({ drawing }: { drawing: Drawing }) {
  const { draft, live } = useStore(drawing.state);
  return draft.points.length === 0 ? 'Nothing is drawn yet.' : drawing.sum(live ?? draft);
}

/** The form says what is drawn, and what the form is told otherwise is drawn. */
function useBoth(drawing: Drawing | null, form: Form, said: string, at: RingAt): void {
  const written = useRef(said);
  const place = useRef(at);
  place.current = at;
  // Before anyone can draw with it.
  useLayoutEffect(() => {
    if (!drawing) return;
    let was = drawing.state.get().draft;
    return drawing.state.subscribe(() => {
      const { draft } = drawing.state.get();
      if (draft === was) return;
      was = draft;
      written.current = take(form, drawing.kind, draft, place.current);
    });
  }, [drawing, form]);
  useEffect(() => {
    if (!drawing || said === written.current) return;
    written.current = said;
    drawing.set(drawnOf(form.getValues(), place.current));
  }, [drawing, form, said]);
}

/** Puts what is drawn into the form, and answers it as the form now says it. Too few points are judged when they are saved. */
function take(form: Form, kind: ShapeId, draft: Draft, at: RingAt): string {
  const before = form.getValues();
  const values = valuesOfDraft(kind, draft, before, at);
  for (const [name, value] of Object.entries(values)) {
    form.setValue(name as keyof typeof values, value, { ...TOUCHED, shouldValidate: draft.isClosed });
  }
  if (!draft.isClosed) form.clearErrors(['area_geom', 'point_geom', 'radius_dist']);
  const { area_geom, point_geom, radius_dist } = form.getValues();
  return kind === 'circle' ? `${point_geom} ${radius_dist}` : area_geom;
}

type ShapeValues = Partial<Pick<AreaDraft, 'area_geom' | 'point_geom' | 'radius_dist'>>;

function valuesOfDraft(
  kind: ShapeId,
  { points, radiusM }: Draft,
  { area_geom, radius_dist }: AreaDraft,
  at: RingAt,
): ShapeValues {
  const [first] = points;
  if (kind === 'circle') {
    return { point_geom: first ? formatLatLng(first) : '', radius_dist: radiusM > 0 ? String(radiusM) : radius_dist };
  }
  const positions = points.map(positionOf);
  if (kind === 'line') {
    return { area_geom: first ? geometryText({ type: 'LineString', coordinates: positions }) : '' };
  }
  return { area_geom: ringText(area_geom, at, closedRing(positions)) };
}

const valuesOf = (drawn: Drawn, text: string, at: RingAt): ShapeValues =>
  drawn.type === 'Circle'
    ? { point_geom: formatLatLng(drawn.center), radius_dist: String(drawn.radiusM) }
    : { area_geom: drawn.type === 'LineString' ? geometryText(drawn) : ringText(text, at, drawn.coordinates[0] ?? []) };

/** A shape with a ring in its place; a ring without points leaves nothing of a shape that has no other. */
function ringText(text: string, at: RingAt, ring: number[][]): string {
  const shape = geometryIn(text);
  if (shape && shape.type !== 'LineString' && ringsIn(shape).length > 1) return geometryText(withRing(shape, at, ring));
  return ring.length > 0 ? geometryText({ type: 'Polygon', coordinates: [ring] }) : '';
}

/** What the form says of the shape, or of its ring, as it is drawn; null for nothing. */
function drawnOf(form: AreaDraft, at: RingAt): Drawn | null {
  if (isUndrawn(form)) return null;
  if (form.shape === 'circle') {
    const center = parseLatLng(form.point_geom);
    return center && { type: 'Circle', center, radiusM: Number(form.radius_dist) };
  }
  const shape = geometryIn(form.area_geom);
  if (!shape || shape.type === 'LineString') return shape;
  const ring = ringAt(shape, at);
  return ring.length > 0 ? { type: 'Polygon', coordinates: [ring] } : null;
}

/** What a shape is too crossed to have is no size; a circle's is its radius, which is said anyway. */
function sizeOf(form: AreaDraft): string {
  const shape = shapeIn(form);
  const isCrossed = form.shape === 'polygon' && squareMeters(shape) <= 0;
  return form.shape === 'circle' || isCrossed ? '' : sizeFact(shape)[1];
}

function shapeIn({ shape, point_geom, radius_dist, area_geom }: AreaDraft) {
  const center = parseLatLng(point_geom) ?? { lat: 0, lng: 0 };
  const geometry = shape === 'circle' ? null : (geometryIn(area_geom) as Record<string, unknown> | null);
  return { ...center, radius_dist: Number(radius_dist), area_geom: geometry };
}

/** While it is drawn, the map does not show the area as it was: only those rings of it that are not drawn now. */
function useOthersOnMap(id: string, text: string, kind: ShapeId, at: RingAt): void {
  const others = useMemo(() => {
    const shape = kind === 'polygon' ? geometryIn(text) : null;
    if (!shape || shape.type === 'LineString') return '';
    const rings = ringsIn(shape).filter(one => !isSame(one, at));
    return rings.length === 0 ? '' : JSON.stringify(rings.map(one => ringAt(shape, one)));
  }, [text, kind, at]);
  useEffect(() => {
    const area = liveStore.of('area').get(id);
    const geometry = { type: 'MultiLineString', coordinates: others === '' ? [] : JSON.parse(others) };
    // Clicks go on to the map below: they set points.
    const row = others !== '' && area ? { ...rowOf(area, 0), geometry, contains: () => false } : null;
    patchView({ draft: { id, row } });
  }, [id, others]);
  useEffect(() => () => patchView({ draft: null }), []);
}
