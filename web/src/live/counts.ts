import { serviceState } from '~/model/status';
import type { Thing } from '~/model/thing';

/** Numbers of the list header and the filters. An object is replaced, never changed. */
export interface LiveCounts {
  shown: number;
  total: number;
  online: number;
  offline: number;
  oos: number;
  /** assets by status, out-of-service ones too */
  byStatus: readonly number[];
  /** those of them that are out of service */
  oosByStatus: readonly number[];
  byType: ReadonlyMap<string, number>;
  owned: number;
  managed: number;
}

/** Counts that follow the picture one asset at a time. */
export class Counter {
  private total = 0;
  private readonly service = { online: 0, offline: 0, oos: 0 };
  private readonly byStatus = [0, 0, 0, 0, 0, 0];
  private readonly oosByStatus = [0, 0, 0, 0, 0, 0];
  private readonly byType = new Map<string, number>();
  private owned = 0;

  add(thing: Thing, organizationId: string, by: 1 | -1): void {
    this.total += by;
    this.service[serviceState(thing.status, thing.inService)] += by;
    this.byStatus[thing.status] = (this.byStatus[thing.status] ?? 0) + by;
    if (!thing.inService) this.oosByStatus[thing.status] = (this.oosByStatus[thing.status] ?? 0) + by;
    const ofType = (this.byType.get(thing.thingTypeId) ?? 0) + by;
    if (ofType > 0) this.byType.set(thing.thingTypeId, ofType);
    else this.byType.delete(thing.thingTypeId);
    if (thing.organization.id === organizationId) this.owned += by;
  }

  read(shown: number): LiveCounts {
    return {
      shown,
      total: this.total,
      ...this.service,
      byStatus: [...this.byStatus],
      oosByStatus: [...this.oosByStatus],
      byType: new Map(this.byType),
      owned: this.owned,
      managed: this.total - this.owned,
    };
  }
}
