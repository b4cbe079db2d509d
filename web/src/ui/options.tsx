import limits from '@catalog/limits.json';
import { Check } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
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

/** Above this many options the list is virtual (requirements 9.ui). */
export const VIRTUAL_ABOVE = limits.lists.virtualOptionsAbove.value;
/** Height of an option in a virtual list, in px (requirements 9.ui). */
export const OPTION_PX = limits.lists.optionRowPx.value;

const layout = { rowHeight: OPTION_PX };

export interface OptionListProps {
  options: readonly Option[];
  /** The option that is chosen: in view from the first look on. */
  chosen: string | null;
  /** Said when nothing is left. */
  empty: string;
}

/** The list of a select or combo box; virtual above `VIRTUAL_ABOVE` options. */
export function OptionList({ options, chosen, empty }: OptionListProps) {
  const isVirtual = options.length > VIRTUAL_ABOVE;
  const box = useChosenInView(isVirtual ? options.findIndex(option => option.id === chosen) : -1);
  const list = (
    <ListBox
      ref={box}
      items={options}
      className={cx(styles.list, isVirtual && styles.virtual)}
      renderEmptyState={() => empty}
    >
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

/**
 * Shows a virtual list's chosen row in its middle when it opens. The list itself looks for the row before it has given its
 * content a height, and stays at its top.
 */
function useChosenInView(index: number) {
  const box = useRef<HTMLDivElement>(null);
  const first = useRef(index);
  useLayoutEffect(() => {
    const list = box.current;
    const content = list?.firstElementChild;
    if (first.current < 0 || !list || !content) return;
    const sized = new ResizeObserver(() => {
      if (list.scrollHeight <= list.clientHeight) return;
      list.scrollTop = (first.current + 0.5) * OPTION_PX - list.clientHeight / 2;
      sized.disconnect();
    });
    sized.observe(content);
    return () => sized.disconnect();
  }, []);
  return box;
}
