import { type AssetColumns, markCode, typeCode } from '~/model/batch';
import type { Thing } from '~/model/thing';
import { thingTypeName } from '~/model/thingType';

/** Adds to a batch what the map draws of an asset. */
export function addAsset(columns: AssetColumns, thing: Thing, row: number, shown: boolean): void {
  columns.add(thing, row, markCode(thing), typeCode(thingTypeName(thing.thingTypeId)), thing.primaryDisplayName, shown);
}

/**
 * Hands out dense numbers to assets; the lowest free ones are used again first. What is looked at for each asset at
 * once, 100 000 of them for a letter that somebody types, is found by the number: a list of numbers is read in a
 * fraction of the time that looking up as many ids takes.
 */
export class Rows {
  private readonly byId = new Map<string, number>();
  private readonly free: number[] = [];
  private next = 0;
  private readonly things: (Thing | undefined)[] = [];
  private shown = new Uint8Array(256);
  /** how many assets the filter displays */
  shownCount = 0;

  /** Numbers in use are below this. */
  get end(): number {
    return this.next;
  }

  of(id: string): number | undefined {
    return this.byId.get(id);
  }

  take(id: string): number {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const row = this.free.pop() ?? this.next++;
    this.byId.set(id, row);
    if (row >= this.shown.length) {
      const more = new Uint8Array(this.shown.length * 2);
      more.set(this.shown);
      this.shown = more;
    }
    return row;
  }

  release(id: string): number | undefined {
    const row = this.byId.get(id);
    if (row === undefined) return undefined;
    this.byId.delete(id);
    this.show(row, false);
    this.things[row] = undefined;
    this.free.push(row);
    return row;
  }

  /** The asset as it is now; undefined for a free number. */
  thing = (row: number): Thing | undefined => this.things[row];

  put(row: number, thing: Thing | undefined): void {
    this.things[row] = thing;
  }

  isShown = (row: number): boolean => this.shown[row] === 1;

  /** Displays an asset or hides it. */
  show(row: number, on: boolean): void {
    if (this.isShown(row) === on) return;
    this.shown[row] = on ? 1 : 0;
    this.shownCount += on ? 1 : -1;
  }
}
