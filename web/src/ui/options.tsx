import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { cx } from '~/lib/cx';
import styles from './Overlay.module.css';

/** An entry of a select or a combo box. */
export interface Option {
  id: string;
  label: string;
  icon?: ReactNode;
  isDisabled?: boolean;
}

/** Above this many options the list is virtual (specification section 9). */
export const VIRTUAL_ABOVE = 20;
/** Height of an option in a virtual list, in px (specification section 9). */
export const OPTION_PX = 40;

const layout = { rowHeight: OPTION_PX };

/** The list of a select or combo box; virtual above `VIRTUAL_ABOVE` options. `empty` is said when nothing is left. */
export function OptionList({ options, empty }: { options: readonly Option[]; empty: string }) {
  const isVirtual = options.length > VIRTUAL_ABOVE;
  const list = (
    <ListBox items={options} className={cx(styles.list, isVirtual && styles.virtual)} renderEmptyState={() => empty}>
      {option => (
        <ListBoxItem
          id={option.id}
          textValue={option.label}
          isDisabled={option.isDisabled ?? false}
          className={styles.item ?? ''}
        >
          {({ isSelected }) => (
            <>
              {option.icon && <span className={styles.itemIcon}>{option.icon}</span>}
              <span className={styles.itemText}>{option.label}</span>
              {isSelected && <Check size={16} strokeWidth={2} aria-hidden="true" />}
            </>
          )}
        </ListBoxItem>
      )}
    </ListBox>
  );
  if (!isVirtual) return list;
  return (
    <Virtualizer layout={ListLayout} layoutOptions={layout}>
      {list}
    </Virtualizer>
  );
}
