import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '~/ui';
import styles from './screen.module.css';

/** One level up. */
export function BackButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button
      variant="ghost"
      size="small"
      className={styles.back}
      icon={<ChevronLeft size={16} strokeWidth={1.75} aria-hidden="true" />}
      onPress={onPress}
    >
      {label}
    </Button>
  );
}

/** A part of the detail: a heading with, perhaps, a link at its end. */
export function DetailSection({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2>
        {title}
        {action}
      </h2>
      {children}
    </section>
  );
}
