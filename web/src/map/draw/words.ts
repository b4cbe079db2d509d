import { countOf } from '~/model/format';
import type { Did } from './edits';
import type { Draft, DrawKind } from './shape';

export type LengthUnit = 'ft' | 'm';

const M_PER_FT = 0.3048;

/** Meters in another unit, to a tenth. */
export const inUnit = (meters: number, unit: LengthUnit): number =>
  Math.round((unit === 'ft' ? meters / M_PER_FT : meters) * 10) / 10;
export const toMeters = (value: number, unit: LengthUnit): number => (unit === 'ft' ? value * M_PER_FT : value);

const NAMES: Readonly<Record<DrawKind, string>> = { circle: 'Circle', polygon: 'Shape', line: 'Line' };

/** What was done, for those who do not see it: "Point 3 moved." */
export function didWords(kind: DrawKind, did: Did | 'undone' | 'redone', index: number | null): string {
  if (did === 'undone') return 'Undone.';
  if (did === 'redone') return 'Redone.';
  if (did === 'resized') return 'Radius changed.';
  if (did === 'closed' || did === 'set') return `${NAMES[kind]} ${did === 'closed' ? 'finished' : 'changed'}.`;
  const what = kind === 'circle' ? 'Center' : `Point ${(index ?? 0) + 1}`;
  return `${what} ${did === 'added' && kind === 'circle' ? 'set' : did}.`;
}

/** How it stands now: "5 points, 0.12 square miles." */
export function sumWords(kind: DrawKind, draft: Draft, unit: LengthUnit, size: string): string {
  const count = draft.points.length;
  const radius = draft.radiusM > 0 ? `Radius ${inUnit(draft.radiusM, unit).toLocaleString('en-US')} ${unit}` : '';
  const points = countOf(count, 'point');
  const all = [kind === 'circle' ? radius : points, size].filter(Boolean).join(', ');
  return all === '' ? '' : `${all}.`;
}
