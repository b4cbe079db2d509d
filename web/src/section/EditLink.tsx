import type { MouseEvent, ReactNode } from 'react';
import { useGo } from './paths';
import styles from './screen.module.css';

/** A link to another screen of the drawer: a real address, so that it opens in a new tab as well. */
export function ScreenLink({ to, className, children, label }: ScreenLinkProps) {
  const go = useGo();
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a className={className} href={to} onClick={follow} aria-label={label}>
      {children}
    </a>
  );
}

interface ScreenLinkProps {
  to: string;
  className?: string | undefined;
  /** the accessible name, where the words alone do not say enough */
  label?: string;
  children: ReactNode;
}

/** A link to an edit screen. */
export function EditLink({ to, what }: { to: string; what: string }) {
  return (
    <ScreenLink className={styles.edit} to={to} label={`Edit ${what}`}>
      Edit
    </ScreenLink>
  );
}
