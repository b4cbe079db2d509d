import type { LineString, MultiPolygon, Polygon } from 'geojson';
import { liveStore } from '~/live';
import type { SnapShape } from '~/map/draw/drawing';
import type { LatLng } from '~/map/types';
import type { Area } from '~/model/area';
import { type Box, boxOf } from '~/model/areaShape';

/** Farther away nothing is within reach of a pointer where areas are drawn. */
const REACH_DEG = 0.01;

const boxes = new WeakMap<Area, Box>();

function boxFor(area: Area): Box {
  const known = boxes.get(area) ?? boxOf(area);
  boxes.set(area, known);
  return known;
}

/** The outlines of the other areas near a place: what is drawn beside them comes to rest on them. */
export const shapesNear =
  (id: string) =>
  (at: LatLng): readonly SnapShape[] =>
    liveStore
      .of('area')
      .list()
      .flatMap(area => {
        if (area.id === id || !area.area_geom) return [];
        const [west, south, east, north] = boxFor(area);
        const isNear =
          at.lng > west - REACH_DEG &&
          at.lng < east + REACH_DEG &&
          at.lat > south - REACH_DEG &&
          at.lat < north + REACH_DEG;
        return isNear ? outlinesOf(area.area_geom as unknown as Polygon | MultiPolygon | LineString) : [];
      });

const outlinesOf = (shape: Polygon | MultiPolygon | LineString): SnapShape[] =>
  shape.type === 'MultiPolygon' ? shape.coordinates.map(coordinates => ({ type: 'Polygon', coordinates })) : [shape];
