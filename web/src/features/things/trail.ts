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
    const asset = batch.upserted.find(a => a.id === this.id);
    if (!asset || asset.at <= this.lastAt) return undefined;
    this.lastAt = asset.at;
    this.points = [...this.points.slice(1 - KEPT), { lat: asset.lat, lng: asset.lng }];
    return this.points;
  }
}
