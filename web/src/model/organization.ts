import { type SpeedUnit, speedUnit } from './format';

/** The parts of an organization that display laws look at. */
export interface OrganizationFacts {
  id: string;
  name: string;
  timezone: string;
  countryCode: string;
  respondersType: 'none' | 'some' | 'all';
  eventWording: 'default' | 'events' | 'incidents';
}

/** What texts depend on: the organization's clock, units and words. */
export interface Words {
  timeZone: string;
  speedUnit: SpeedUnit;
  /** "Events" or "Incidents" */
  events: string;
  /** "Event" or "Incident" */
  event: string;
  /** whether all, some or none of the assets are responders: which words stand for statuses at large */
  responders: OrganizationFacts['respondersType'];
}

/** "Incidents" where all assets are responders or the organization says so, else "Events" (requirements 1.word). */
export function saysIncidents(o: Pick<OrganizationFacts, 'respondersType' | 'eventWording'>): boolean {
  if (o.eventWording === 'events') return false;
  return o.eventWording === 'incidents' || o.respondersType === 'all';
}

/** The organization's words. */
export function wordsOf(o: OrganizationFacts): Words {
  const incidents = saysIncidents(o);
  return {
    timeZone: o.timezone || 'UTC',
    speedUnit: speedUnit(o.countryCode),
    events: incidents ? 'Incidents' : 'Events',
    event: incidents ? 'Incident' : 'Event',
    responders: o.respondersType,
  };
}
