import catalog from '@catalog/texts.json';
import { useRef } from 'react';
import { browserName, WEBGL_STEPS } from '../support';
import styles from './map.module.css';
import over from './over.module.css';

/** Stands instead of the map when the browser has no WebGL: what to do, in this browser's words. */
export function Unsupported() {
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
