import type { AssetBatch, LatLng } from '~/map/types';
import type { Thing } from '~/model/thing';

/** How many fixes the trail behind the selected asset keeps. */
const KEPT = 60;

/** The recent fixes of the selected asset, collected while it is selected; oldest first. */
export class Trail {
  private id: string | null = null;
  private points: LatLng[] = [];
  private lastAt = 0;

  /** Begins anew with an asset (or none). */
  start(
    id: string | null,
    thing: Pick<Thing, 'lat' | 'lng' | 'at' | 'hasPosition'> | undefined,
  ): readonly LatLng[] | null {
    this.id = id;
    this.lastAt = thing?.at ?? 0;
    this.points = thing?.hasPosition ? [{ lat: thing.lat, lng: thing.lng }] : [];
    return null;
  }

  /** Takes a batch; the points when the trail has grown, else undefined. */
  follow(batch: AssetBatch): readonly LatLng[] | undefined {
    if (!this.id) return undefined;
    const { upserted } = batch;
    const i = upserted.indexOf(this.id);
    const at = upserted.at[i];
    if (at === undefined || at <= this.lastAt) return undefined;
    this.lastAt = at;
    this.points = [...this.points.slice(1 - KEPT), { lat: upserted.lat[i] as number, lng: upserted.lng[i] as number }];
    return this.points;
  }
}
