import { MapPin, Search } from 'lucide-react';
import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { say } from '~/api';
import { formatLatLng } from '~/lib/coordinates';
import { useStore } from '~/lib/store';
import { PlaceSearch } from '~/map/stage/PlaceSearch';
import { isEmptyAddress } from '~/model/address';
import { type Place, streetAt } from '~/model/places';
import { AddressFields } from '~/office';
import { useAim } from '~/section/useAim';
import { mapHolder } from '~/section/view';
import { Button } from '~/ui';
import styles from './areas.module.css';
import { type AreaDraft, isUndrawn, markerOf } from './form';

type Form = UseFormReturn<AreaDraft>;
const CHANGED = { shouldDirty: true, shouldTouch: true };
const EMPTY = { address1: '', address2: '', city: '', state: '', postal_code: '' } as const;

/** The address of an area: searched for, taken from the map, typed, or cleared. */
export function AreaAddress({ form }: { form: Form }) {
  const map = useStore(mapHolder);
  const [text, setText] = useState('');
  const [words, setWords] = useState('');
  const { control, getValues } = form;
  const [address1, address2, city, state, postal_code, country_code] = useWatch({
    control,
    name: ['address1', 'address2', 'city', 'state', 'postal_code', 'country_code'],
  });
  const [shape, point_geom, area_geom] = useWatch({ control, name: ['shape', 'point_geom', 'area_geom'] });
  // Until something is drawn the address is asked for there.
  useAim(isUndrawn({ shape, point_geom, area_geom }) ? 'middle' : null);
  const isEmpty = isEmptyAddress({ address1, address2, city, state, postal_code, country_code });
  const found = (place: Place) => {
    setText('');
    fill(form, place);
    setWords('');
    // What is drawn stays where it is; a circle that is not drawn yet begins here.
    if (getValues('shape') === 'circle' && isUndrawn(getValues())) {
      form.setValue('point_geom', formatLatLng(place), { ...CHANGED, shouldValidate: true });
    }
    map?.find(place);
  };
  const fromMap = async () => {
    const at = markerOf(getValues()) ?? map?.view()?.middle;
    if (!at) return;
    try {
      const street = await streetAt(at);
      if (street) fill(form, street);
      setWords(street ? '' : 'No street found near here.');
    } catch (error) {
      setWords(say('generic', error));
    }
  };
  return (
    <fieldset className={styles.address}>
      <legend>Address</legend>
      <PlaceSearch
        label="Search for an address"
        placeholder="Street, intersection, or address"
        text={text}
        onText={setText}
        near={() => map?.view()?.middle ?? null}
        onPlace={found}
        isInForm
        before={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
      />
      <div className={styles.addressTools}>
        {map && (
          <Button
            size="small"
            icon={<MapPin size={15} strokeWidth={1.75} aria-hidden="true" />}
            onPress={() => void fromMap()}
          >
            Fill address from the map
          </Button>
        )}
        {!isEmpty && (
          <Button size="small" variant="ghost" onPress={() => put(form, EMPTY)}>
            Clear address
          </Button>
        )}
      </div>
      <p role="status" className={styles.addressWords}>
        {words}
      </p>
      <AddressFields form={form} />
    </fieldset>
  );
}

function put(form: Form, fields: Partial<AreaDraft>): void {
  for (const [name, value] of Object.entries(fields)) form.setValue(name as keyof AreaDraft, value, CHANGED);
  form.clearErrors(Object.keys(EMPTY) as (keyof AreaDraft)[]);
}

/** Street and town are what the map knows: what was there of another address goes. A place without a name fills nothing. */
function fill(form: Form, { kind, label, near }: Place): void {
  if (kind === 'coordinates' || kind === 'plus_code') return;
  const isTown = kind === 'town';
  const city = isTown ? label : near;
  const isSameTown = city === form.getValues('city');
  put(form, { ...(isSameTown ? {} : EMPTY), address1: isTown ? '' : label, address2: '', city });
}
