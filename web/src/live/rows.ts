import { type AssetColumns, typeCode } from '~/model/batch';
import type { Thing } from '~/model/thing';
import { thingTypeName } from '~/model/thingType';

/** Adds to a batch what the map draws of an asset. Status is its rank, which is the code of the columns. */
export function addAsset(columns: AssetColumns, thing: Thing, row: number, shown: boolean): void {
  columns.add(thing, row, thing.status, typeCode(thingTypeName(thing.thingTypeId)), thing.primaryDisplayName, shown);
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
