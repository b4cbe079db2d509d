import limits from '@catalog/limits.json';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { truncateCoordinate } from '~/lib/coordinates';
import { useStore } from '~/lib/store';
import type { LatLng } from '~/map/types';
import { placeOf } from './address';
import { mapHolder } from './view';

const ADD_ZOOM = limits.map.addZoom.value;

/** The place where the address says that a new row begins, brought near; with `isPinned` a pin stands there. */
export function useAddressPlace(isPinned = false): LatLng | null {
  const { at } = useSearch({ strict: false }) as { at?: unknown };
  const [place] = useState(() => placeOf(at));
  const map = useStore(mapHolder);
  useEffect(() => {
    if (!map || !place) return;
    map.goTo(place, Math.max(ADD_ZOOM, map.getState().zoom));
    if (isPinned) map.pinPlace(place);
  }, [map, place, isPinned]);
  return place;
}

/** A place as two fields of a draft say it. */
export interface PlaceDraft {
  lat: string;
  lng: string;
}

/** What the fields of a place begin with; null: nothing. */
export const placeDraft = (place: LatLng | null): PlaceDraft => ({
  lat: place ? truncateCoordinate(place.lat) : '',
  lng: place ? truncateCoordinate(place.lng) : '',
});

/** What was changed in a draft, its place in degrees as the wire has it. */
export const placeToWire = <Said extends Partial<PlaceDraft>>({ lat, lng, ...said }: Said) => ({
  ...said,
  ...(lat !== undefined && { lat: Number(lat) }),
  ...(lng !== undefined && { lng: Number(lng) }),
});

/** The place that a draft says in two fields, if it says one. */
export function placeIn({ lat, lng }: PlaceDraft): LatLng | null {
  const place = { lat: Number(lat), lng: Number(lng) };
  const isPlace = lat.trim() !== '' && lng.trim() !== '' && Math.abs(place.lat) <= 90 && Math.abs(place.lng) <= 180;
  return isPlace ? place : null;
}
