import {
  type SnapToCustom,
  TerraDrawCircleMode,
  TerraDrawLineStringMode,
  type TerraDrawMouseEvent,
  TerraDrawPolygonMode,
  TerraDrawSelectMode,
} from 'terra-draw';

export type Modes = ReturnType<typeof makeModes>;

/** How terra-draw takes the pointer: `holds` says whether a press at a place may drag the shape. */
export function makeModes(reachPx: number, snap: SnapToCustom, holds: (event: TerraDrawMouseEvent) => boolean) {
  const pointerDistance = reachPx;
  const snapping = { toCustom: snap };
  const edited = {
    feature: {
      selfIntersectable: true, // it is shown as wrong, not held back
      coordinates: { draggable: true, deletable: true, midpoints: { draggable: true }, snappable: snapping },
    },
  };
  const drawn = { pointerDistance, snapping, keyEvents: null };
  return {
    polygon: new TerraDrawPolygonMode(drawn),
    line: new TerraDrawLineStringMode(drawn),
    circle: new TerraDrawCircleMode({ pointerDistance, keyEvents: null, drawInteraction: 'click-move' }),
    select: new TerraDrawSelectMode({
      pointerDistance,
      keyEvents: null,
      allowManualDeselection: false,
      cursors: { pointerOverFeature: 'unset' },
      dragEventThrottle: 1e9, // every move counts
      flags: {
        polygon: edited,
        linestring: edited,
        circle: { feature: { draggable: true, coordinates: { resizable: 'center-fixed' } } },
      },
      pointerEvents: {
        leftClick: true,
        rightClick: true,
        contextMenu: true,
        onDragStart: holds,
        onDrag: true,
        onDragEnd: true,
      },
    }),
  };
}
