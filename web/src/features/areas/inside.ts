import type { AssetBatch } from '~/map/types';
import type { Area } from '~/model/area';
import { type Box, boxOf, contains } from '~/model/areaShape';

/** Degrees; areas are at most a mile wide, and most stand in one or two cells. */
const CELL = 0.02;
const COLUMNS = 100_000;
const cellOf = (lng: number, lat: number) => Math.floor(lat / CELL) * COLUMNS + Math.floor(lng / CELL);

/** Which assets are in which areas, kept up to date by what changes: no look at each asset and area. */
export class Inside {
  private areas: readonly Area[] = [];
  private readonly cells = new Map<number, Area[]>();
  /** by the dense numbers of batches */
  private readonly assets = new Map<number, { id: string; lat: number; lng: number; areas: readonly string[] }>();
  private readonly members = new Map<string, Set<string>>();

  /** The ids of the assets in an area. */
  of = (areaId: string): ReadonlySet<string> => this.members.get(areaId) ?? NOBODY;

  /** Takes the areas; another array when one of them changed. */
  setAreas(areas: readonly Area[]): void {
    if (areas === this.areas) return;
    this.areas = areas;
    this.cells.clear();
    this.members.clear();
    for (const area of areas) {
      // An inactive area matches nothing, and nothing is in a line.
      if (!area.is_active || area.area_geom?.type === 'LineString') continue;
      for (const cell of cellsOf(boxOf(area))) {
        const list = this.cells.get(cell);
        if (list) list.push(area);
        else this.cells.set(cell, [area]);
      }
    }
    for (const asset of this.assets.values()) {
      asset.areas = [];
      this.place(asset);
    }
  }

  /** Takes a flush of changed assets; true when one has come into an area or left one. */
  apply({ reset, removed, upserted }: AssetBatch): boolean {
    let isChanged = false;
    if (reset) {
      isChanged = this.members.size > 0;
      this.assets.clear();
      this.members.clear();
    }
    for (const row of removed) {
      const asset = this.assets.get(row);
      if (!asset) continue;
      this.leave(asset);
      isChanged ||= asset.areas.length > 0;
      this.assets.delete(row);
    }
    for (let i = 0; i < upserted.length; i++) {
      const row = upserted.row[i] as number;
      const [lat, lng] = [upserted.lat[i] as number, upserted.lng[i] as number];
      const known = this.assets.get(row);
      if (known && known.lat === lat && known.lng === lng) continue;
      const asset = known ?? { id: upserted.id[i] as string, lat, lng, areas: [] };
      asset.lat = lat;
      asset.lng = lng;
      this.assets.set(row, asset);
      isChanged = this.place(asset) || isChanged;
    }
    return isChanged;
  }

  private place(asset: { id: string; lat: number; lng: number; areas: readonly string[] }): boolean {
    const near = Number.isFinite(asset.lat) ? (this.cells.get(cellOf(asset.lng, asset.lat)) ?? []) : [];
    const now = near.filter(area => contains(area, asset)).map(area => area.id);
    if (now.length === asset.areas.length && now.every((id, i) => id === asset.areas[i])) return false;
    this.leave(asset);
    asset.areas = now;
    for (const id of now) {
      const members = this.members.get(id);
      if (members) members.add(asset.id);
      else this.members.set(id, new Set([asset.id]));
    }
    return true;
  }

  private leave({ id, areas }: { id: string; areas: readonly string[] }): void {
    for (const area of areas) this.members.get(area)?.delete(id);
  }
}

const NOBODY: ReadonlySet<string> = new Set();

function* cellsOf([west, south, east, north]: Box): Generator<number> {
  for (let lat = Math.floor(south / CELL); lat <= Math.floor(north / CELL); lat++) {
    for (let lng = Math.floor(west / CELL); lng <= Math.floor(east / CELL); lng++) yield lat * COLUMNS + lng;
  }
}
