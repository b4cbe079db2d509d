import { Plus, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useStore } from '~/lib/store';
import type { Drawing } from '~/map/draw/drawing';
import type { DrawKind } from '~/map/draw/shape';
import { signGlyph } from '~/map/layers/signs';
import { type Feature, featureProblem, middleOf } from '~/model/features';
import { countOf } from '~/model/format';
import { Instructions, TOUCH_STEPS } from '~/section/Instructions';
import { useDrawing } from '~/section/useDrawing';
import { Button, Notice, Segmented, Select, useWords } from '~/ui';
import {
  drawnOf,
  featureDrawn,
  kindOf,
  SHAPES_MAX,
  shapeAs,
  shapeDrawn,
  shapesIn,
  shapesText,
  type ZoneDraft,
} from './form';
import { patchView } from './view';
import { sizeText } from './words';
import styles from './zones.module.css';

type Form = UseFormReturn<ZoneDraft>;

const KINDS: readonly { id: DrawKind; label: string }[] = [
  { id: 'polygon', label: 'Polygon' },
  { id: 'line', label: 'Line' },
  { id: 'circle', label: 'Circle' },
];
const STEPS = [
  'Choose a shape: polygon, line, or circle.',
  'Polygon and line: click the map to set each point.',
  'To finish, press Enter, or click the first point of a polygon or the last point of a line again.',
  'Circle: click the map to set its center, then click to set its edge.',
  'Drag a point to move it. Drag the small mark between two points to add one. Select a point and press Delete to remove it.',
  'To work without a mouse, use the Drawing panel on the map: type coordinates, or move a point with the arrow keys.',
] as const;
const BY_TOUCH = [
  'Choose a shape: polygon, line, or circle.',
  'Polygon and line: tap the map to set each point, then tap Finish.',
  'Circle: tap the map to set its center, then tap to set its edge.',
  ...TOUCH_STEPS,
] as const;
const TOUCHED = { shouldDirty: true, shouldTouch: true };

/** The shapes of a zone: one of them at a time is drawn on the map, by hand or by keys. */
export function ZoneShape({ form, id }: { form: Form; id: string }) {
  const text = useWatch({ control: form.control, name: 'features' });
  const shapes = shapesIn(text);
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, shapes.length - 1);
  const [empty, setEmpty] = useState<DrawKind>('polygon');
  const kind = kindOf(shapes[at]) ?? empty;
  const [known, write] = useRevision(text);
  const put = (next: ReturnType<typeof shapesIn>, shouldValidate = false) =>
    form.setValue('features', shapesText(next), { ...TOUCHED, shouldValidate });
  const choose = (next: DrawKind) => {
    form.clearErrors('features');
    setEmpty(next);
    put(shapes.with(at, shapeAs(next, shapes[at])));
  };
  const add = () => {
    put([...shapes, null]);
    setChosen(shapes.length);
  };
  const remove = () => {
    put(
      shapes.filter((_, index) => index !== at),
      true,
    );
    setChosen(0);
  };
  useWords('features', 'Shape', value => countText(String(value)));
  const error = form.formState.errors.features?.message;
  return (
    <fieldset className={styles.shape}>
      <legend className="visually-hidden">Shape</legend>
      <Instructions view="zone" title="How to draw a zone" steps={STEPS} touchSteps={BY_TOUCH} />
      {shapes.length > 1 && (
        <div className={styles.part}>
          <Select
            label="Edit"
            options={shapes.map((_, index) => ({ id: String(index), label: `Shape ${index + 1}` }))}
            value={String(at)}
            onChange={next => setChosen(Number(next))}
          />
          <Button size="small" icon={<Trash2 size={15} strokeWidth={1.75} aria-hidden="true" />} onPress={remove}>
            Delete shape
          </Button>
        </div>
      )}
      {kind === 'kept' ? (
        <Notice>This shape has a hole. It stays as it is.</Notice>
      ) : (
        <>
          <Segmented label="Shape" value={kind} onChange={choose} options={KINDS} />
          <DrawnShape key={`${at}/${kind}/${known}`} form={form} kind={kind} at={at} onWrite={write} />
        </>
      )}
      <OthersOnMap form={form} id={id} at={at} />
      {shapes[at] && shapes.length < SHAPES_MAX && (
        <Button size="small" icon={<Plus size={15} strokeWidth={1.75} aria-hidden="true" />} onPress={add}>
          Add another shape
        </Button>
      )}
      {error && (
        <p role="alert" className={styles.shapeError}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Grows whenever the text has become another one than what was written: what is drawn begins again then. */
function useRevision(text: string): readonly [revision: number, write: (text: string) => void] {
  const [revision, setRevision] = useState(0);
  const [now, setNow] = useState(text);
  const written = useRef(text);
  if (now !== text) {
    setNow(text);
    if (text !== written.current) setRevision(revision + 1);
  }
  const write = useCallback((said: string) => {
    written.current = said;
  }, []);
  return [revision, write];
}

interface DrawnShapeProps {
  form: Form;
  kind: DrawKind;
  at: number;
  /** Told before the form is: this is what was drawn. */
  onWrite: (text: string) => void;
}

/** The shape that is drawn just now. */
function DrawnShape({ form, kind, at, onWrite }: DrawnShapeProps) {
  const drawing = useDrawing({
    kind,
    initial: drawnOf(shapesIn(form.getValues('features'))[at]),
    check: drawn => featureProblem(featureDrawn(drawn)) ?? null,
    describe: drawn => sizeText(featureDrawn(drawn)),
  });
  useEffect(() => {
    if (!drawing) return;
    // Whatever was done before someone listened counts as well.
    let was = drawing.state.get().canUndo ? null : drawing.state.get().draft;
    const take = () => {
      const { draft } = drawing.state.get();
      if (draft === was) return;
      was = draft;
      const shapes = shapesIn(form.getValues('features')).with(at, shapeDrawn(drawing.kind, draft));
      const said = shapesText(shapes);
      onWrite(said);
      form.setValue('features', said, { ...TOUCHED, shouldValidate: draft.isClosed });
      // Too few points are judged when they are saved.
      if (!draft.isClosed) form.clearErrors('features');
    };
    take();
    return drawing.state.subscribe(take);
  }, [drawing, form, at, onWrite]);
  return <p className={styles.drawn}>{drawing && <Sum drawing={drawing} />}</p>;
}

/** What stands, in words; what is wrong with it stands below. */
function Sum({ drawing }: { drawing: Drawing }) {
  const { draft, live } = useStore(drawing.state);
  const now = live ?? draft;
  return now.points.length === 0 ? 'Nothing is drawn yet.' : drawing.sum(now);
}

/** While it is drawn, the map shows of the zone only those shapes that are not drawn at the moment. */
function OthersOnMap({ form, id, at }: { form: Form; id: string; at: number }) {
  const [text, type] = useWatch({ control: form.control, name: ['features', 'alerting_zone_type_name'] });
  useEffect(() => {
    const others = shapesIn(text).filter((shape, index) => shape !== null && index !== at) as Feature[];
    const row = {
      id,
      text: '',
      glyph: signGlyph(type),
      active: false,
      shapes: others,
      // Clicks go on to the map below: they set points.
      contains: () => false,
    };
    patchView({ draft: { id, row: others.length > 0 ? { ...row, ...middleOf(others) } : null } });
  }, [id, text, type, at]);
  useEffect(() => () => patchView({ draft: null }), []);
  return null;
}

function countText(text: string): string {
  const { length } = shapesIn(text).filter(shape => shape !== null);
  return countOf(length, 'shape');
}
