import { useEffect } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useStore } from '~/lib/store';
import type { LatLng, PlaceHandle } from '~/map/types';
import { FormTextField } from '~/ui';
import look from './form.module.css';
import { type PlaceDraft, placeDraft, placeIn } from './place';
import { mapHolder } from './view';

interface PlaceFieldsProps<Draft extends PlaceDraft> {
  form: UseFormReturn<Draft>;
  /** "Hazard": what the marker is called */
  label: string;
  /** The circle that the place stays in; none: it may be anywhere. */
  circle?: Pick<PlaceHandle, 'origin' | 'withinM'>;
  /** which way the traffic goes there, where that is known */
  heading?: number | null;
}

/** The coordinates of a form and, while it stands, the marker on the map that moves them. It stays while what is typed is no place. */
export function PlaceFields<Draft extends PlaceDraft>(props: PlaceFieldsProps<Draft>) {
  const { label, circle, heading = null } = props;
  // A form of more is a form of these two.
  const { control, getValues, resetField, setValue } = props.form as unknown as UseFormReturn<PlaceDraft>;
  const map = useStore(mapHolder);
  const [lat, lng] = useWatch({ control, name: ['lat', 'lng'] });
  useEffect(() => () => map?.setHandle(null), [map]);
  // Where nothing is said: the middle of what is seen, also once a map comes after the form.
  useEffect(() => {
    const isEmpty = getValues(['lat', 'lng']).every(text => text === '');
    const middle = isEmpty ? map?.view()?.middle : undefined;
    if (!middle) return;
    const seen = placeDraft(middle);
    resetField('lat', { defaultValue: seen.lat });
    resetField('lng', { defaultValue: seen.lng });
  }, [map, getValues, resetField]);
  useEffect(() => {
    const onMove = (to: LatLng) => {
      const options = { shouldDirty: true, shouldTouch: true, shouldValidate: true };
      const said = placeDraft(to);
      setValue('lat', said.lat, options);
      setValue('lng', said.lng, options);
    };
    const place = placeIn({ lat, lng });
    if (place) map?.setHandle({ label, origin: place, withinM: null, ...circle, place, heading, onMove });
  }, [map, setValue, label, circle, heading, lat, lng]);
  return (
    <div className={look.two}>
      <FormTextField control={control} name="lat" label="Latitude" isRequired isMono />
      <FormTextField control={control} name="lng" label="Longitude" isRequired isMono />
    </div>
  );
}
