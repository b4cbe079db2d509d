import catalog from '@catalog/permissions.json';
import { expect, it } from 'vitest';
import { meets, type Requirement } from './permissions';

// Written here from the requirements, and not read from the catalog that both sides share.
const SPECIFIED = `
  organization:manage organization:create organization:read organization:update organization:delete
  user:admin:manage user:admin:create user:manage user:create user:read user:update user:delete
  thing:manage thing:read thing:update thing:admin:manage thing:invoke_r2r thing:ha5_light_intensity_change
  incident:read incident:update zone:manage zone:read trip:read hazard:read heatmap:create heatmap:read
  exclusion:manage exclusion:create exclusion:read exclusion:update exclusion:delete closure:manage
  closure:create closure:read closure:update closure:delete mobile:closure:manage mobile:closure:create
  mobile:closure:update report:manage report:create report:read report:update report:delete export:manage
  export:create export:read export:delete integration_configuration:manage integration_configuration:create
  integration_configuration:read integration_configuration:delete billing:read haas:manage engineer:test
`;

const ANY_OF = {
  VIEW_THINGS: 'thing:read thing:manage haas:manage',
  EDIT_THING: 'thing:update thing:manage',
  VIEW_EVENTS: 'incident:read haas:manage',
  EDIT_EVENT: 'incident:update haas:manage',
  VIEW_AREAS: 'exclusion:read exclusion:manage haas:manage',
  ADD_AREA: 'exclusion:create exclusion:manage',
  EDIT_AREA: 'exclusion:update exclusion:manage',
  DELETE_AREA: 'exclusion:delete exclusion:manage',
  VIEW_CLOSURES: 'closure:read closure:manage haas:manage',
  ADD_CLOSURE: 'closure:create closure:manage',
  EDIT_CLOSURE: 'closure:update closure:manage',
  DELETE_CLOSURE: 'closure:delete closure:manage',
  ADD_CLOSURE_MOBILE: 'mobile:closure:create mobile:closure:manage',
  EDIT_CLOSURE_MOBILE: 'mobile:closure:update mobile:closure:manage',
  VIEW_ZONES: 'zone:read zone:manage haas:manage',
  VIEW_TRIPS: 'trip:read haas:manage',
  VIEW_HAZARDS: 'hazard:read haas:manage',
  VIEW_DATA: 'report:read report:manage export:read export:manage haas:manage',
  VIEW_REPORTS: 'report:read report:manage haas:manage',
  VIEW_EXPORTS: 'export:read export:manage haas:manage',
  CREATE_EXPORT: 'export:create export:manage',
  DELETE_EXPORT: 'export:delete export:manage',
  VIEW_ACCOUNTS:
    'user:admin:manage user:admin:create user:manage user:create user:read ' +
    'user:update user:delete organization:manage organization:create organization:read ' +
    'organization:update organization:delete thing:admin:manage',
  VIEW_ACCOUNTS_NEW: 'engineer:test',
  MOBILE: '',
} satisfies Partial<Record<Requirement, string>>;

const words = (text: string) => text.split(/\s+/).filter(word => word !== '');

// spec: 6.string.01 6.string.02 6.string.03 6.string.04
it('the permissions are those of the requirements', () => {
  expect([...catalog.permissions].sort()).toEqual(words(SPECIFIED).sort());
});

// spec: 6.req.01 6.req.02 6.req.03 6.req.04 6.req.05 6.req.06 6.req.07 6.req.09 6.req.10 6.req.11 6.req.12 6.req.13 6.req.14 6.req.15 6.req.16 6.model.04
it.each(Object.entries(ANY_OF))('%s is met by any of %s, and by no other permission alone', (requirement, any) => {
  const opening = words(SPECIFIED).filter(one => meets(new Set([one]), requirement as Requirement));
  expect(opening).toEqual(words(SPECIFIED).filter(one => any === '' || words(any).includes(one)));
});
