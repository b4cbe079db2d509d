import { useEffect, useMemo } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useStore } from '~/lib/store';
import { useRow } from '~/live';
import { boundsOf, circleRing } from '~/map/geometry';
import type { LatLng } from '~/map/types';
import { compass } from '~/model/format';
import { isEditable, type Location } from '~/model/location';
import { sayMarked } from '~/office';
import { EditScreen, RowForm } from '~/section/EditScreen';
import formStyles from '~/section/form.module.css';
import { Instructions } from '~/section/Instructions';
import { PlaceFields } from '~/section/PlaceFields';
import type { Now } from '~/section/shown';
import { mapHolder } from '~/section/view';
import { useWords } from '~/section/words';
import { Button, Dial, EmptyState, FormTextField } from '~/ui';
import styles from './events.module.css';
import { type EditForm as Draft, editSchema, formOf, headingOf, locationNow, WITHIN_M, writeOf } from './form';
import { EVENTS } from './paths';
import { saveLocation, useShownEvent } from './queries';
import { patchView, useOnStage } from './view';
import { nameOf } from './words';

/** Moves an event's marker and turns its direction. */
export function EventEdit({ id }: { id: string }) {
  const { event } = useWords();
  const live = useRow('location', id);
  useOnStage();
  return (
    <EditScreen noun={{ what: event, ...EVENTS }} id={id} name={live && nameOf(live)} shown={useShownEvent(id)}>
      {(row, now, done) =>
        isEditable(row) ? <LocationForm row={row} now={now} onDone={done} /> : <NotEditable row={row} onBack={done} />
      }
    </EditScreen>
  );
}

function NotEditable({ row, onBack }: { row: Location; onBack: () => void }) {
  const word = useWords().event.toLowerCase();
  return (
    <EmptyState title={`This ${word} can't be edited.`} action={<Button onPress={onBack}>Back</Button>}>
      {row.is_geo_marker
        ? `Another system reported it. Only ${word}s of your own assets can be edited.`
        : `It has ended. Only an active ${word} can be edited.`}
    </EmptyState>
  );
}

const STEPS = [
  `Drag the marker to the right place, within the circle of ${WITHIN_M} m around where it began.`,
  'To work without a mouse, press Tab until the marker is selected, then use the arrow keys. Or type its latitude and longitude.',
  'Turn the dial, or type degrees, to set the direction of traffic.',
] as const;

function LocationForm({ row, now, onDone }: { row: Location; now: Now<Location>; onDone: () => void }) {
  const { event } = useWords();
  const { lat, lng } = row.origin;
  const origin = useMemo(() => ({ lat, lng }), [lat, lng]);
  const hasHeading = row.roadway_heading !== null;
  return (
    <RowForm
      what={event}
      row={row}
      now={now && !isEditable(now) ? null : now}
      {...(now?.is_active === false && { gone: `This ${event.toLowerCase()} has ended.` })}
      schema={useMemo(() => editSchema(origin, hasHeading), [origin, hasHeading])}
      read={formOf}
      together={[['lat', 'lng']]}
      theirs={locationNow}
      save={(changes, base, values) => saveLocation(row.id, writeOf(base, changes, values), base.version)}
      undo="location"
      say={sayMarked('location.update')}
      mayEdit
      onDone={onDone}
    >
      {form => <Fields form={form} row={row} origin={origin} />}
    </RowForm>
  );
}

function Fields({ form, row, origin }: { form: UseFormReturn<Draft>; row: Location; origin: LatLng }) {
  const { event } = useWords();
  const text = useWatch({ control: form.control, name: 'roadway_heading' });
  const circle = useMemo(() => ({ origin, withinM: WITHIN_M }), [origin]);
  useStage(row, origin);
  return (
    <>
      <p className={formStyles.lead}>
        Drag the marker on the map, at most {WITHIN_M} m from where the {event.toLowerCase()} began, or type its
        coordinates.
      </p>
      <Instructions
        view="location"
        title={`How to move ${/^[aeiou]/i.test(event) ? 'an' : 'a'} ${event.toLowerCase()}`}
        steps={STEPS}
      />
      <PlaceFields form={form} label={event} circle={circle} heading={headingOf(text)} />
      <Heading form={form} />
    </>
  );
}

/** Direction of traffic there: a dial, and its degrees. */
function Heading({ form }: { form: UseFormReturn<Draft> }) {
  const text = useWatch({ control: form.control, name: 'roadway_heading' });
  const heading = headingOf(text);
  return (
    <div className={styles.heading}>
      <Dial
        label="Roadway Heading"
        value={heading}
        onChange={degrees =>
          form.setValue('roadway_heading', String(degrees), {
            shouldDirty: true,
            shouldTouch: true,
            shouldValidate: true,
          })
        }
        say={degrees => `${compass(degrees)}, ${degrees} degrees`}
      />
      <FormTextField
        control={form.control}
        name="roadway_heading"
        label="Roadway Heading"
        hint={heading === null ? 'Degrees clockwise from north, 0 to 360' : `${compass(heading)} · degrees from north`}
      />
    </div>
  );
}

/** While the form stands, the map has the event as it is moved, and the circle in which it may be. */
function useStage(row: Location, origin: LatLng): void {
  const map = useStore(mapHolder);
  useEffect(() => {
    patchView({ opened: row });
    return () => patchView({ opened: null });
  }, [row]);
  useEffect(() => {
    const ring = circleRing(origin, WITHIN_M).map(([lng, lat]) => ({ lat, lng }));
    const bounds = boundsOf(ring);
    if (bounds) map?.fitBounds(bounds);
  }, [map, origin]);
}
