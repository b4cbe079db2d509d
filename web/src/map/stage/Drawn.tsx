import { lazy, Suspense } from 'react';
import { useStore } from '~/lib/store';
import type { MapController } from '../controller';
import { loadKit } from '../draw/desk';
import over from './over.module.css';

// They come with what draws, which has come before there is a drawing.
const DrawTools = lazy(() => loadKit().then(kit => ({ default: kit.DrawTools })));

/** The tools of the shape that is being drawn. */
export function Drawn({ controller }: { controller: MapController }) {
  const drawing = useStore(controller.desk.open);
  if (!drawing || drawing.options.isOnlyGuide) return null;
  return (
    <div className={over.drawing}>
      <Suspense fallback={null}>
        <DrawTools drawing={drawing} />
      </Suspense>
    </div>
  );
}
