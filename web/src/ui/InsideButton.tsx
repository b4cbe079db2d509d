import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import styles from './Field.module.css';

/** A small icon button that lives inside a field. */
export function InsideButton(props: { label: string; children: ReactNode; onPress: () => void; pressed?: boolean }) {
  return (
    <Button
      className={styles.inside ?? ''}
      aria-label={props.label}
      {...(props.pressed === undefined ? {} : { 'aria-pressed': props.pressed })}
      onPress={props.onPress}
    >
      {props.children}
    </Button>
  );
}
