import catalog from '@catalog/texts.json';
import { useRef } from 'react';
import type { MapController } from '../controller';
import { browserName, WEBGL_STEPS } from '../support';
import styles from './map.module.css';
import over from './over.module.css';
import { useMapState } from './useMap';

/** Stands instead of the map when the browser has no WebGL, or gives it none any more: what to do. */
export function Unsupported({ controller }: { controller: MapController }) {
  const hadMap = useMapState(controller, state => state.hadMap);
  return hadMap ? <Lost /> : <NoWebGl />;
}

/** The page tries by itself too; some browsers refuse until it is loaded anew. */
function Lost() {
  return (
    <div className={over.unsupported} role="status">
      <p>{catalog.texts.map.lost}</p>
      <button type="button" className={styles.action} onClick={() => window.location.reload()}>
        Reload the page
      </button>
    </div>
  );
}

/** What to do, in this browser's words. */
function NoWebGl() {
  const dialog = useRef<HTMLDialogElement>(null);
  const { fallback, webgl } = catalog.texts.map;
  return (
    <div className={over.unsupported} role="status">
      <p>{fallback}</p>
      <button type="button" className={styles.action} onClick={() => dialog.current?.showModal()}>
        {webgl}
      </button>
      <dialog ref={dialog} className={over.dialog} aria-label={webgl}>
        <h2>{webgl}</h2>
        <ol>
          {WEBGL_STEPS[browserName(navigator.userAgent)].map(step => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div className={over.dialogActions}>
          <button type="button" className={styles.action} onClick={() => dialog.current?.close()}>
            OK
          </button>
        </div>
      </dialog>
    </div>
  );
}
