import { describe, expect, it } from 'vitest';
import { configLine, cutLine, describeThing, directionText, keyFigures, refusedLine, statusFacts } from './describe';
import { ageText, DATE_PATTERNS, dateText, durationText, whenText } from './format';
import { instantOf, instantText } from './instant';
import { compareLocations, locationOfWire, timeAtLocation } from './location';
import { saysIncidents, wordsOf } from './organization';
import { mustCheckStation, Status } from './status';
import { broken, makeThing, wireLocation, wireLocationThing, wireThing } from './testing';
import {
  checkStation,
  isAccurateEnough,
  isLatestPointActive,
  isOnIncident,
  isPlaced,
  isStale,
  runTime,
  thingOfWire,
} from './thing';
import { subtypesFor, subtypeText, thingSubtypesOfWire, thingTypesOfWire } from './thingType';

const NOW = Date.parse('2026-11-21T10:42:08.000Z');
const words = wordsOf({
  id: 'org-1',
  name: 'Wilmington Fire Dept',
  timezone: 'America/New_York',
  countryCode: 'US',
  respondersType: 'some',
  eventWording: 'default',
});

describe('wire to model', () => {
  // spec: 3.thing.01, 3.thing.02, 3.thing.03, 3.thing.04, 3.thing.05, 3.thing.08, 3.thing.11
  it('carries every field of an asset', () => {
    const t = thingOfWire(
      wireThing({
        closures: [{ id: 'c', external_id: 'WZ-1' }],
        organization_relationships: [
          { organization_uuid: 'o2', organization_name: 'City', relationship_type: 'manager' },
          { organization_uuid: 'o3', organization_name: 'State', relationship_type: 'accessor' },
        ],
        external_identifiers: [
          { identifier_id: 'G9F021', system_name: 'geotab', is_deleted: false },
          { identifier_id: 'old', system_name: 'samsara', is_deleted: true },
        ],
      }),
      NOW,
    );
    expect(t).toMatchObject({
      id: 'thing-1',
      externalId: 'X-418',
      haasId: 'ha7-00418',
      nickname: 'Ladder 1',
      primaryDisplayName: 'Ladder 1',
      secondaryDisplayName: 'ha7-00418',
      systemId: '',
      vinNumber: '4S7AT2E97JC083112',
      plateNumber: 'FD 4418',
      registryNumber: 'L1',
      integrations: [{ name: 'geotab', id: 'G9F021' }],
      isIntegrationOrg: true,
      thingTypeId: '01900000-0000-7000-8000-100000000001',
      thingSubtypeId: '01900000-0000-7000-8000-200000000002',
      isResponderType: true,
      deviceType: 'ha7',
      lat: 39.7447,
      lng: -75.5484,
      course: 45,
      speed: 15.2,
      accuracy: 4,
      street: 'N Market St',
      status: Status.ACTIVE,
      enroute: true,
      inService: true,
      isActive: true,
      heartbeatAt: Date.parse('2026-11-21T10:42:07.250Z'),
      runId: 'run-1',
      runStartAt: Date.parse('2026-11-21T10:38:26.000Z'),
      runPointsCount: 221,
      isR2REnabled: true,
      isTestModeOn: false,
      isPubliclyReporting: true,
      isAllowedForTestMode: true,
      isAllowedForClosures: false,
      organization: { id: 'org-1', name: 'Wilmington Fire Dept', type: 'fire' },
      relationships: [
        { organizationId: 'o2', organizationName: 'City', relationType: 'manager' },
        { organizationId: 'o3', organizationName: 'State', relationType: 'accessor' },
      ],
    });
    expect(t.activeClosures).toEqual([{ id: 'c', wzdxId: 'WZ-1' }]);
    expect(isLatestPointActive(t)).toBe(true);
    expect(runTime(t, t.at)).toBe(221_250);
    expect(isStale(t, NOW)).toBe(false);
  });

  // spec: 3.thing.06, 3.thing.15
  it('knows the incident and the station', () => {
    const at = thingOfWire(
      wireThing({ location: { id: 'loc', start_time: '2026-11-21T10:31:00.000Z' }, station_id: 'st' }),
      NOW,
    );
    expect(at).toMatchObject({
      locationId: 'loc',
      stationId: 'st',
      incidentStartAt: Date.parse('2026-11-21T10:31:00.000Z'),
      incidentEndAt: 0,
    });
    expect(isOnIncident(at)).toBe(true);
    const gone = thingOfWire(wireThing({ location: null, incident_end_time: '2026-11-21T10:40:00.000Z' }), NOW);
    expect(gone).toMatchObject({
      locationId: '',
      incidentStartAt: 0,
      incidentEndAt: Date.parse('2026-11-21T10:40:00.000Z'),
    });
    expect(isOnIncident(makeThing({ locationId: '' }))).toBe(false);
    expect(checkStation(makeThing({ status: Status.ACTIVE }))).toBe(false);
    expect(checkStation(makeThing({ status: Status.STANDBY }))).toBe(true);
    expect(mustCheckStation(Status.LOCATION)).toBe(false);
  });

  // spec: 3.thing.10, 3.thing.18, 3.thing.19, 4.status.15
  it('fills what a row leaves out', () => {
    const { is_responder: _r, speed: _s, ...rest } = wireThing();
    const bare = thingOfWire(broken({ ...rest, lat: null, lng: null }), NOW);
    expect(bare.isResponderType).toBe(true);
    expect(bare.speed).toBe(0);
    expect(isPlaced(bare)).toBe(false);
    expect(isPlaced(thingOfWire(wireThing({ lat: 0, lng: 0 }), NOW))).toBe(true);
    expect(thingOfWire(wireThing({ status: 'offline' }), NOW).status).toBe(Status.OFFLINE);
    expect(thingOfWire(wireThing({ status: broken(null) }), NOW).status).toBe(Status.ACTIVE);
    expect(thingOfWire(wireThing({ status: broken('unheard_of'), enroute: false, street: '' }), NOW).status).toBe(
      Status.STANDBY,
    );
  });

  it('reads instants of any RFC 3339 form', () => {
    expect(instantOf('2026-11-21T10:42:07.250Z')).toBe(Date.parse('2026-11-21T10:42:07.250Z'));
    expect(instantOf('2026-11-21T10:42:08.003Z')).toBe(Date.parse('2026-11-21T10:42:08.003Z'));
    expect(instantOf('2026-11-21T05:42:07-05:00')).toBe(Date.parse('2026-11-21T10:42:07Z'));
    for (const none of [null, undefined, '', 'soon', '2026-13-41T10:42:07.250Z', '2026-11-21T10:42:xx.250Z']) {
      expect(instantOf(none)).toBe(0);
    }
    expect(instantText(0)).toBeNull();
    expect(instantText(instantOf('2026-11-21T10:42:07.250Z'))).toBe('2026-11-21T10:42:07.250Z');
  });
});

describe('display', () => {
  const on = (over: Parameters<typeof makeThing>[0]) => makeThing({ staleAt: 0, ...over });

  // spec: 4.status.03
  it('shows street and arrival on scene', () => {
    const t = on({ status: Status.LOCATION, street: 'W 9th St', incidentStartAt: Date.parse('2026-11-21T15:31:00Z') });
    expect(describeThing(t, words, NOW)).toMatchObject({
      label: 'On-Scene',
      tone: 'scene',
      line: 'W 9th St · arrived 10:31 AM',
    });
  });

  // spec: 4.status.05
  it('shows direction and speed while active', () => {
    expect(describeThing(on({ course: 90, speed: 20 }), words, NOW).line).toBe('E · 45 mph · N Market St');
    const closing = on({ activeClosures: [{ id: 'c', wzdxId: '' }], street: 'I-95 ramp', isResponderType: false });
    expect(describeThing(closing, words, NOW)).toMatchObject({ label: 'Active', line: 'Closure · I-95 ramp' });
  });

  // spec: 4.status.22, 4.status.23
  it('hides speed and direction of what is stale or still', () => {
    const stale = on({ course: 90, speed: 20, heartbeatAt: NOW - 600_000 });
    expect(describeThing(stale, words, NOW)).toMatchObject({ line: 'N Market St', isStale: true, isOld: true });
    const dimmed = makeThing({ course: 90, speed: 20, heartbeatAt: NOW - 31_000, staleAt: NOW - 1 });
    expect(describeThing(dimmed, words, NOW)).toMatchObject({ line: 'N Market St', isStale: true });
    expect(directionText(on({ course: 90, speed: 0 }), NOW)).toBe('E');
  });

  // spec: 4.status.06, 4.status.07, 4.status.08
  it('shows the last sign of life of the silent', () => {
    const parked = on({ status: Status.STATIONARY, street: 'S Union St', statusAt: NOW - 22 * 60_000 });
    expect(describeThing(parked, words, NOW)).toMatchObject({ label: 'Standby', line: 'S Union St · 22 min' });
    const pending = on({ status: Status.PENDING, heartbeatAt: Date.parse('2026-11-21T02:14:00Z') });
    expect(describeThing(pending, words, NOW)).toMatchObject({
      label: 'Pending',
      line: 'last check-in 20-Nov-26 9:14 PM',
      age: '8 h',
    });
    const offline = on({ status: Status.OFFLINE, heartbeatAt: Date.parse('2026-11-14T17:00:00Z') });
    expect(describeThing(offline, words, NOW)).toMatchObject({ label: 'Offline', line: 'last online 14-Nov-26' });
    expect(describeThing(on({ status: Status.OFFLINE, heartbeatAt: 0 }), words, NOW).line).toBe('never online');
  });

  // spec: 2.things.15
  it('has the labels of the detail', () => {
    const labels = (facts: { label: string }[]) => facts.map(f => f.label);
    const scene = on({
      status: Status.LOCATION,
      incidentStartAt: NOW - 664_000,
      runStartAt: NOW - 800_000,
      locationId: 'l',
    });
    expect(keyFigures(scene, undefined, words, NOW)).toEqual([
      { label: 'Arrived', value: '5:31 AM' },
      { label: 'Time-to-Scene', value: '00:02:16' },
      { label: 'Duration', value: '00:11:04' },
    ]);
    const moving = on({});
    expect(keyFigures(moving, undefined, words, NOW)).toEqual([
      { label: 'Direction', value: 'NE' },
      { label: 'Speed', value: '34 mph' },
      { label: 'Run Time', value: '00:03:42' },
    ]);
    expect(labels(keyFigures(on({ status: Status.STANDBY, runId: '' }), undefined, words, NOW))).toEqual([
      'Direction',
      'Speed',
    ]);
    expect(statusFacts(moving, words, NOW)).toEqual([
      { label: 'Start', value: '5:38:26 AM' },
      { label: 'Alert Points', value: '221' },
      { label: 'Last Sync', value: 'now' },
    ]);
    const gone = on({ status: Status.OFFLINE, runId: '', heartbeatAt: Date.parse('2026-11-14T17:00:00Z') });
    expect(labels(statusFacts(gone, words, NOW))).toEqual(['Last Online']);
  });

  it('says ages in one unit', () => {
    const ages: [number, string][] = [
      [-5000, 'now'],
      [1999, 'now'],
      [2000, '2 s'],
      [59_999, '59 s'],
      [60_000, '1 min'],
      [3_599_000, '59 min'],
      [13 * 3_600_000, '13 h'],
      [7 * 86_400_000, '7 d'],
    ];
    for (const [ms, text] of ages) expect(ageText(NOW - ms, NOW)).toBe(text);
    expect(ageText(0, NOW)).toBe('');
  });

  // spec: 9.format.06 D.time.03
  it('formats dates, times and durations', () => {
    const at = Date.parse('2026-11-21T15:04:05Z');
    const zone = 'America/New_York';
    expect(dateText(at, zone, DATE_PATTERNS.monthFirst)).toBe('Nov-21-2026');
    expect(dateText(at, zone, DATE_PATTERNS.dayFirst)).toBe('21-Nov-2026');
    expect(dateText(at, zone, DATE_PATTERNS.short)).toBe('21-Nov-26');
    expect(dateText(at, zone, DATE_PATTERNS.time)).toBe('10:04 AM');
    expect(dateText(at, zone, DATE_PATTERNS.timeSeconds)).toBe('10:04:05 AM');
    expect(dateText(at, 'Nowhere/Land', DATE_PATTERNS.time)).toBe('3:04 PM');
    expect(dateText(0, zone, DATE_PATTERNS.time)).toBe('');
    const day = 86_400_000;
    expect(whenText(at, zone, at + day / 2)).toBe('10:04 AM');
    expect(whenText(at, zone, at + day)).toBe('Nov-21-2026 10:04 AM');
    expect(whenText(at, zone, at + day, DATE_PATTERNS.timeSeconds)).toBe('Nov-21-2026 10:04:05 AM');
    expect(durationText(3_661_000)).toBe('01:01:01');
    expect(durationText(360_000_000)).toBe('100:00:00');
    expect(durationText(-1)).toBe('00:00:00');
  });

  // spec: 4.live.01, 4.live.02, D.value.05
  it('asks for better accuracy at a station', () => {
    expect(isAccurateEnough({ accuracy: 100, stationId: '' })).toBe(true);
    expect(isAccurateEnough({ accuracy: 100.1, stationId: '' })).toBe(false);
    expect(isAccurateEnough({ accuracy: 30, stationId: 's' })).toBe(true);
    expect(isAccurateEnough({ accuracy: 31, stationId: 's' })).toBe(false);
    expect(isAccurateEnough({ accuracy: null, stationId: 's' })).toBe(true);
  });

  // spec: 1.word.05
  it('words events as incidents where all are responders or the organization says so', () => {
    expect(saysIncidents({ respondersType: 'all', eventWording: 'default' })).toBe(true);
    expect(saysIncidents({ respondersType: 'all', eventWording: 'events' })).toBe(false);
    expect(saysIncidents({ respondersType: 'none', eventWording: 'incidents' })).toBe(true);
    expect(words.events).toBe('Events');
  });
});

describe('statuses', () => {
  // spec: 3.enum.01
  it('are numbered in sorting order', () => {
    expect(Status).toEqual({ LOCATION: 0, ACTIVE: 1, STANDBY: 2, STATIONARY: 3, PENDING: 4, OFFLINE: 5, OOS: 6 });
  });
});

describe('types', () => {
  const types = thingTypesOfWire([
    { id: 'o', name: 'other', display_name: 'Other', is_emergency: false },
    { id: 't', name: 'tow', display_name: 'Tow', is_emergency: false },
    { id: 'f', name: 'fire', display_name: '', is_emergency: true },
  ]);
  const subtypes = thingSubtypesOfWire([
    { id: 's3', display_name: 'Other', thing_type_id: 't' },
    { id: 's1', display_name: 'Heavy duty', thing_type_id: 't' },
    { id: 's2', display_name: 'Engine', thing_type_id: 'f' },
  ]);

  // spec: 3.type.01, 3.type.02
  it('sorts by name, other last, and falls back to the name', () => {
    expect(types.map(t => t.displayName)).toEqual(['fire', 'Tow', 'Other']);
    expect(subtypes.map(t => t.displayName)).toEqual(['Engine', 'Heavy duty', 'Other']);
  });

  // spec: 5.asset.07
  it('offers the chosen type’s subtypes first, then those of types of the same emergency flag, by their type', () => {
    expect(subtypesFor('t', subtypes, types).map(s => s.id)).toEqual(['s1', 's3']);
    const offered = subtypesFor('o', subtypes, types);
    expect(offered.map(s => subtypeText(s, 'o', types))).toEqual(['Heavy duty (Tow)', 'Other (Tow)']);
    expect(subtypesFor('', subtypes, types)).toEqual([]);
  });
});

describe('locations', () => {
  // spec: 3.loc.03
  it('carries every field', () => {
    const l = locationOfWire({
      id: 'l',
      external_id: 'E-7',
      organization_id: 'o',
      is_active: true,
      lat: 1,
      lng: 2,
      origin_lat: 39.7,
      origin_lng: -75.5,
      street: 'W 9th St',
      roadway_heading: 270,
      drivers_alerted: null,
      things_active: [
        wireLocationThing({ id: 'a', haas_id: 'ha7-1', runtime: 664, start_time: '2026-11-21T10:31:04.000Z' }),
      ],
      things_inactive: [],
      start_time: '2026-11-21T10:31:04.000Z',
      end_time: null,
      alert_message: 'Keep right',
      wzdx_id: 'W',
      is_geo_marker: false,
      alt: null,
      features: null,
      version: 2,
    });
    expect(l).toMatchObject({
      displayName: 'W 9th St',
      roadway_heading: 270,
      wzdx_id: 'W',
      origin: { lat: 39.7, lng: -75.5 },
      things_active: [{ id: 'a', displayName: 'HA7-1', runtime: 664, end_time: 0 }],
    });
    const [first] = l.things_active;
    expect(first && timeAtLocation(first, Date.parse('2026-11-21T10:42:08.000Z'))).toBe(664_000);
  });

  // spec: 4.events.02
  it('sorts active ones first, then the newest', () => {
    const at = (id: string, is_active: boolean, minute: string) =>
      locationOfWire(wireLocation({ id, is_active, start_time: `2026-11-21T10:${minute}:00.000Z` }));
    const sorted = [at('a', false, '40'), at('b', true, '10'), at('c', true, '20')].sort(compareLocations);
    expect(sorted.map(l => l.id)).toEqual(['c', 'b', 'a']);
  });
});

describe('reports that were not taken', () => {
  const reason = 'the date is more than 30 days old';
  const lineOf = (count: number, at: string) =>
    refusedLine(thingOfWire(wireThing({ refused: { count, at, error: 'at_too_old', reason } }), NOW), words, NOW);

  it('are told in one line, with the last of them, for a week', () => {
    expect(lineOf(3, '2026-11-21T10:42:00.000Z')).toBe(`3 reports refused, last at 5:42 AM: ${reason}`);
    expect(lineOf(1, '2026-11-20T10:42:00.000Z')).toBe(`1 report refused, last Nov-20-2026 5:42 AM: ${reason}`);
    expect(lineOf(12_345, '2026-11-21T10:42:00.000Z')).toMatch(/^12,345 reports refused/);
    expect(lineOf(3, '2026-11-14T10:42:07.000Z')).toBe('');
  });

  it('are not told where there are none', () => {
    expect(thingOfWire(wireThing(), NOW).refused).toBeNull();
    expect(refusedLine({ refused: null }, words, NOW)).toBe('');
  });
});

describe('which configuration a device has', () => {
  const lineOf = (live: Parameters<typeof wireThing>[0]) => configLine(thingOfWire(wireThing(live), NOW), words, NOW);

  it('is told beside the one that it should have', () => {
    const sent = { config_version: 7, config_sent_at: '2026-11-21T10:42:00.000Z' };
    expect(lineOf({ ...sent, applied_config_version: 7 })).toBe('Configuration 7 · up to date');
    expect(lineOf({ ...sent, applied_config_version: 5 })).toBe('Configuration 7 · device has 5 (sent 5:42 AM)');
    expect(lineOf({ ...sent, applied_config_version: 0 })).toBe('Configuration 7 · device has none (sent 5:42 AM)');
    expect(lineOf({ config_version: 7, applied_config_version: 5 })).toBe(
      'Configuration 7 · device has 5 (not sent yet)',
    );
  });

  it('is not made up where it never said', () => {
    expect(lineOf({ config_version: 7 })).toBe('Configuration 7 · device has not said which it has (not sent yet)');
    expect(lineOf({})).toBe('');
    expect(thingOfWire(wireThing(), NOW).config).toBeNull();
  });
});

describe('a connection that was lost', () => {
  it('is told with its instant, until the asset is heard', () => {
    const lineOf = (live: Parameters<typeof wireThing>[0]) => cutLine(thingOfWire(wireThing(live), NOW), words, NOW);
    expect(lineOf({ cut_at: '2026-11-21T10:42:00.000Z' })).toBe('Silent since 5:42 AM: connection lost');
    expect(lineOf({})).toBe('');
  });
});
