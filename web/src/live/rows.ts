import enums from '@catalog/enums.json';
import type { MapAsset, MarkStatus, MarkType } from '~/model/batch';
import type { Thing } from '~/model/thing';
import { thingTypeName } from '~/model/thingType';

const statusNames = enums.status.map(s => s.name as MarkStatus);

/** What the map draws of an asset. */
export function mapAssetOf(thing: Thing, row: number): MapAsset {
  return {
    row,
    id: thing.id,
    lat: thing.lat,
    lng: thing.lng,
    course: thing.course,
    speed: thing.speed,
    status: statusNames[thing.status] ?? 'OFFLINE',
    type: thingTypeName(thing.thingTypeId) as MarkType,
    inService: thing.inService,
    at: thing.at,
    staleAt: thing.staleAt,
    label: thing.primaryDisplayName,
  };
}

/** Hands out dense numbers to assets; the lowest free ones are used again first. */
export class Rows {
  private readonly byId = new Map<string, number>();
  private readonly free: number[] = [];
  private next = 0;

  of(id: string): number | undefined {
    return this.byId.get(id);
  }

  take(id: string): number {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const row = this.free.pop() ?? this.next++;
    this.byId.set(id, row);
    return row;
  }

  release(id: string): number | undefined {
    const row = this.byId.get(id);
    if (row === undefined) return undefined;
    this.byId.delete(id);
    this.free.push(row);
    return row;
  }
}
