import { expect, it } from 'vitest';
import { recorded } from '~/api/recorded';
import { closureOfWire } from './closure';

// spec: 3.clos.04
it('a closure knows whether feeds have it, by which id, and what else they say of it', () => {
  const row = recorded('getClosure.ok').data;
  expect(row.is_wzdx_compliant && row.is_dashboard_managed && row.external_id !== '' && row.group_id !== '').toBe(true);
  expect(closureOfWire(row)).toMatchObject({
    isPublished: row.is_wzdx_compliant,
    isManaged: row.is_dashboard_managed,
    wzdxId: row.external_id,
    groupId: row.group_id,
    locationMethod: 'channel-device-method',
    vehicleImpact: 'some-lanes-closed',
  });
});
