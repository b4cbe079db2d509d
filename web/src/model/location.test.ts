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
      externalId: wire.external_id,
      isActive: wire.is_active,
      lat: wire.lat,
      lng: wire.lng,
      features: wire.features?.features ?? [],
      street: wire.street,
      roadwayHeading: wire.roadway_heading,
      startTime: instantOf(wire.start_time),
      endTime: instantOf(wire.end_time),
      alt: wire.alt,
      alertMessage: wire.alert_message,
      displayName: wire.street || wire.external_id,
      isGeoMarker: wire.is_geo_marker,
      wzdxId: wire.wzdx_id,
    });
    expect(location.thingsActive.map(one => one.id)).toEqual(wire.things_active.map(one => one.id));
    expect(location.thingsInactive.map(one => one.id)).toEqual(wire.things_inactive.map(one => one.id));
  }
});
