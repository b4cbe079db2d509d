import limits from '@catalog/limits.json';
import { Copy, ExternalLink, MapPin } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { formatLatLng } from '~/lib/coordinates';
import { cx } from '~/lib/cx';
import { useCopied } from '~/ui';
import type { MapController } from '../controller';
import { googleLink, wazeLink } from '../coordinates';
import type { OpenMenu, PlaceItem } from '../types';
import styles from './map.module.css';
import look from './menu.module.css';
import { useFocusBack, useMapState } from './useMap';

const COPIED_MS = limits.ui.copiedMapMs.value;

interface ContextMenuProps {
  controller: MapController;
  /** what begins at the place: it comes first, and reads it as "here" */
  items?: readonly PlaceItem[] | undefined;
}

export function ContextMenu({ controller, items = [] }: ContextMenuProps) {
  const menu = useMapState(controller, state => state.menu);
  return menu ? <Menu key={`${menu.x}/${menu.y}`} controller={controller} menu={menu} items={items} /> : null;
}

/** Moves the focus among the items with the arrow keys, Home and End. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items[(to + items.length) % items.length]?.focus();
}

interface MenuProps {
  controller: MapController;
  menu: OpenMenu;
  items: readonly PlaceItem[];
}

function Menu({ controller, menu, items }: MenuProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [copied, copy] = useCopied(COPIED_MS);
  const { place } = menu;
  const close = () => controller.openMenu(null);
  useFocusBack(controller, ref);

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    // Kept inside the stage: near the right or lower edge it opens to the other side.
    const stage = element.offsetParent;
    const left = Math.min(menu.x, (stage?.clientWidth ?? 0) - element.offsetWidth - 8);
    const top = Math.min(menu.y, (stage?.clientHeight ?? 0) - element.offsetHeight - 8);
    element.style.left = `${Math.max(8, left)}px`;
    element.style.top = `${Math.max(8, top)}px`;
    element.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !element.contains(event.target)) controller.openMenu(null);
    };
    document.addEventListener('pointerdown', outside, true);
    return () => document.removeEventListener('pointerdown', outside, true);
  }, [controller, menu]);

  const copies = [
    { key: 'plain', label: 'Copy coordinates', text: formatLatLng(place) },
    { key: 'waze', label: 'Copy for Waze', text: wazeLink(place) },
    { key: 'google', label: 'Copy for Google Maps', text: googleLink(place) },
  ];
  const links = [
    { label: 'View on Waze', href: wazeLink(place) },
    { label: 'View on Google Maps', href: googleLink(place) },
  ];
  return (
    <div
      ref={ref}
      className={cx(styles.float, look.menu)}
      role="menu"
      aria-label="Place on the map"
      tabIndex={-1}
      // Where the key is let go that opened it, browsers would open their own.
      onContextMenu={event => event.preventDefault()}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          close();
        } else moveFocus(event);
      }}
    >
      <div className={look.menuHead}>{formatLatLng(place)}</div>
      {items.map(({ label, Icon, act }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          className={look.menuItem}
          onClick={() => {
            close();
            act(place);
          }}
        >
          <Icon />
          {label}
        </button>
      ))}
      {items.length > 0 && <hr className={look.menuLine} />}
      {copies.map(({ key, label, text }) => (
        <button key={key} type="button" role="menuitem" className={look.menuItem} onClick={() => copy(key, text)}>
          <Copy />
          <span aria-live="polite">{copied === key ? 'Copied' : label}</span>
        </button>
      ))}
      <button
        type="button"
        role="menuitem"
        className={look.menuItem}
        onClick={() => {
          close();
          controller.pinPlace(place);
        }}
      >
        <MapPin />
        What's here?
      </button>
      {links.map(({ label, href }) => (
        <a
          key={label}
          role="menuitem"
          className={look.menuItem}
          href={href}
          target="_blank"
          rel="noreferrer"
          onClick={close}
        >
          <ExternalLink />
          {label}
        </a>
      ))}
    </div>
  );
}
