import { expect, it } from 'vitest';
import { recorded } from '~/api/recorded';
import { instantOf } from './instant';
import { locationOfWire } from './location';

// The fields on the wire are held by the server's own test, the marker's place by the journeys.
// spec: 3.loc.01
it('carries every field of an event', () => {
  for (const wire of [...recorded('listActiveLocations.events').data, recorded('getLocation.ended').data]) {
    const location = locationOfWire(wire);
    expect(location).toMatchObject({
      id: wire.id,
      external_id: wire.external_id,
      is_active: wire.is_active,
      lat: wire.lat,
      lng: wire.lng,
      shapes: wire.features?.features ?? [],
      street: wire.street,
      roadway_heading: wire.roadway_heading,
      start_time: instantOf(wire.start_time),
      end_time: instantOf(wire.end_time),
      alt: wire.alt,
      alert_message: wire.alert_message,
      displayName: wire.street || wire.external_id,
      is_geo_marker: wire.is_geo_marker,
      wzdx_id: wire.wzdx_id,
    });
    expect(location.things_active.map(one => one.id)).toEqual(wire.things_active.map(one => one.id));
    expect(location.things_inactive.map(one => one.id)).toEqual(wire.things_inactive.map(one => one.id));
  }
});
