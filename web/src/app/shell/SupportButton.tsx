import { LifeBuoy } from 'lucide-react';
import styles from './SideNav.module.css';
import { useSupport } from './support';

/** Opens the support dialog, in the look of what stands around it. */
export function SupportButton({ className }: { className: string }) {
  const open = useSupport();
  return (
    <button type="button" className={className} title="Support" onClick={() => open(true)}>
      <LifeBuoy size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={styles.word}>Support</span>
    </button>
  );
}
