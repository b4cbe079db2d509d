import type { MouseEvent } from 'react';
import { useGo } from './paths';
import styles from './screen.module.css';

/** A link to an edit screen: a real address, so that it opens in a new tab as well. */
export function EditLink({ to, what }: { to: string; what: string }) {
  const go = useGo();
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a className={styles.edit} href={to} onClick={follow} aria-label={`Edit ${what}`}>
      Edit
    </a>
  );
}
