import { CircleAlert, Hexagon, Layers, type LucideIcon, Radio, Route, TrafficCone, TriangleAlert } from 'lucide-react';
import type { Words } from '~/model/organization';

/** How a section looks in the navigation. */
export interface SectionLook {
  icon: LucideIcon;
  /** Events or Incidents as the organization says. */
  label: (words: Words) => string;
}

/** Looks by section id (specification section 2, Navigation); order and permission are the catalog's. */
export const looks: Readonly<Record<string, SectionLook>> = {
  things: { icon: Radio, label: () => 'Live' },
  events: { icon: CircleAlert, label: words => words.events },
  areas: { icon: Hexagon, label: () => 'Areas' },
  closures: { icon: TrafficCone, label: () => 'Closures' },
  zones: { icon: Layers, label: () => 'Zones' },
  trips: { icon: Route, label: () => 'Trips' },
  hazards: { icon: TriangleAlert, label: () => 'Hazards' },
};
