import { useEffect } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { truncateCoordinate } from '~/lib/coordinates';
import { useStore } from '~/lib/store';
import type { LatLng } from '~/map/types';
import formStyles from '~/section/form.module.css';
import { placeIn } from '~/section/place';
import { mapHolder } from '~/section/view';
import { FormTextField, SelectLine } from '~/ui';
import { DESCRIPTION_MAX, type HazardDraft, LASTS } from './form';
import { HAZARD_TYPES } from './words';

/** What is filled in of a hazard, new or not; `unsaid`: how long it lasts where nobody says. */
export function HazardFields({ form, unsaid }: { form: UseFormReturn<HazardDraft>; unsaid: string }) {
  const { control } = form;
  useMarker(form);
  return (
    <>
      <SelectLine control={control} name="type" label="Type" placeholder="Choose a type" options={HAZARD_TYPES} />
      <p className={formStyles.lead}>Drag the marker on the map, or type its coordinates.</p>
      <div className={formStyles.two}>
        <FormTextField control={control} name="lat" label="Latitude" isRequired isMono />
        <FormTextField control={control} name="lng" label="Longitude" isRequired isMono />
      </div>
      <FormTextField control={control} name="description" label="Description" max={DESCRIPTION_MAX} />
      <SelectLine control={control} name="expires_at" label="Lasts" none={unsaid} options={LASTS} />
    </>
  );
}

/** While the form stands, the map has the marker that it moves. */
function useMarker({ control, setValue }: UseFormReturn<HazardDraft>): void {
  const map = useStore(mapHolder);
  const [lat, lng] = useWatch({ control, name: ['lat', 'lng'] });
  useEffect(() => () => map?.setHandle(null), [map]);
  useEffect(() => {
    const onMove = (to: LatLng) => {
      const options = { shouldDirty: true, shouldTouch: true, shouldValidate: true };
      setValue('lat', truncateCoordinate(to.lat), options);
      setValue('lng', truncateCoordinate(to.lng), options);
    };
    const place = placeIn({ lat, lng });
    map?.setHandle(place && { label: 'Hazard', origin: place, withinM: null, place, heading: null, onMove });
  }, [map, setValue, lat, lng]);
}
