// What drawing needs beside the map: one part of the app, loaded with the first shape that is drawn.
import { announce } from '~/ui';
import type { MapEngine } from '../engine';
import { DRAWING } from '../overlay';
import { type DrawHost, Drawing, type DrawOptions } from './drawing';
import { features } from './features';
import { listenMapKeys, listenUndo } from './keys';
import { DrawView } from './view';

export { DrawTools } from './DrawTools';

/** Begins to draw; the keys of the page and the words for screen readers belong to it until it is closed. */
export function begin(options: DrawOptions, host: Omit<DrawHost, 'say'>): Drawing {
  let unlisten = (): void => undefined;
  const closed = () => {
    unlisten();
    host.closed();
  };
  const drawing = new Drawing(options, { ...host, say: announce, closed });
  unlisten = listenUndo(drawing);
  return drawing;
}

/** Shows it on a map. Returns the way to stop. */
export function show(drawing: Drawing, engine: MapEngine): () => void {
  const draw = (features: Parameters<ConstructorParameters<typeof DrawView>[2]>[0]) =>
    engine.setData(DRAWING, { type: 'FeatureCollection', features: [...features] });
  if (drawing.options.isOnlyGuide) {
    const paint = () => draw(features([], drawing.kind, drawing.state.get()));
    paint();
    const off = drawing.state.subscribe(paint);
    return () => {
      off();
      draw([]);
    };
  }
  const view = new DrawView(engine.map, drawing, draw);
  const unlisten = listenMapKeys(drawing, engine.map.getCanvas());
  return () => {
    unlisten();
    view.end();
    draw([]);
  };
}
