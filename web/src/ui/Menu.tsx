import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  MenuTrigger,
} from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import { cx } from '~/lib/cx';
import styles from './Overlay.module.css';

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode;
  label: string;
  /** `MenuItem`, `MenuSection`, `MenuSeparator`. */
  children: ReactNode;
  /** Stands above the entries (a name, an address). */
  head?: ReactNode;
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end';
}

/** A list of commands behind a button. */
export function Menu({ trigger, label, children, head, placement = 'bottom end' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ''} placement={placement} offset={6}>
        {head}
        <AriaMenu className={styles.menu ?? ''} aria-label={label}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

export interface MenuItemProps {
  id?: string;
  children: string;
  icon?: ReactNode;
  /** Stands at the end: a key, a count. */
  after?: ReactNode;
  onAction?: () => void;
  href?: string;
  target?: string;
  isDisabled?: boolean;
  danger?: boolean;
}

/** An entry; inside a section with selection it shows a tick when chosen. */
export function MenuItem({ children, icon, after, danger, ...rest }: MenuItemProps) {
  return (
    <AriaMenuItem {...rest} textValue={children} className={cx(styles.item, danger && styles.danger)}>
      {({ isSelected, selectionMode }) => (
        <>
          {icon && <span className={styles.itemIcon}>{icon}</span>}
          <span className={styles.itemText}>{children}</span>
          {after && <span className={styles.after}>{after}</span>}
          {selectionMode !== 'none' && isSelected && <Check size={16} strokeWidth={2} aria-hidden="true" />}
        </>
      )}
    </AriaMenuItem>
  );
}

export interface MenuSectionProps {
  title: string;
  children: ReactNode;
  /** With these the section's entries are choices, and a press keeps the menu open for "multiple". */
  selectionMode?: 'single' | 'multiple';
  selectedKeys?: Iterable<string>;
  onChoose?: (keys: ReadonlySet<string>) => void;
}

/** Entries under a heading. */
export function MenuSection({ title, children, selectionMode, selectedKeys, onChoose }: MenuSectionProps) {
  const selection = selectionMode
    ? {
        selectionMode,
        selectedKeys: selectedKeys ?? [],
        onSelectionChange: (keys: 'all' | Set<string | number>) => {
          if (keys !== 'all') onChoose?.(new Set([...keys].map(String)));
        },
        disallowEmptySelection: selectionMode === 'single',
      }
    : {};
  return (
    <AriaMenuSection {...selection}>
      <Header className={styles.sectionTitle ?? ''}>{title}</Header>
      {children}
    </AriaMenuSection>
  );
}

/** A hairline between entries. */
export function MenuSeparator() {
  return <Separator className={styles.separator ?? ''} />;
}
