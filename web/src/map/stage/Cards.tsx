import limits from '@catalog/limits.json';
import { ChevronRight, Copy, Navigation, Pin } from 'lucide-react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { cx } from '~/lib/cx';
import { hovers } from '~/lib/media';
import { useIsPhone } from '~/session';
import { Tag, useCopied } from '~/ui';
import type { MapController } from '../controller';
import { navigationLink, waysTo } from '../coordinates';
import type { CardLine, LatLng, OpenCard } from '../types';
import look from './cards.module.css';
import styles from './map.module.css';
import { PlaceCodes } from './PlaceCodes';
import { anchored, useMapState } from './useMap';

const COPIED_MS = limits.ui.copiedMapMs.value;

/** Cards of the hovered, selected and pinned things. */
export function Cards({ controller }: { controller: MapController }) {
  const cards = useMapState(controller, state => state.cards);
  // What is being moved needs the room around it.
  const moving = useMapState(controller, state => (state.handle ? state.selected : null));
  // A phone has little room for its map, and its sheet says the same of what is selected.
  const isPhone = useIsPhone();
  // There what a form places comes before what was pinned.
  const isPlacing = useMapState(controller, state => state.isPlacing) && isPhone;
  const open = cards.filter(
    card => !isPlacing && (card.pinned || card.id !== moving) && !(isPhone && card.onlySelected),
  );
  return open.map(card => <Card key={`${card.kind}/${card.id}`} controller={controller} card={card} />);
}

/** Asks again with each batch and each second: ages and durations count on. */
function useFreshly(controller: MapController): void {
  useSyncExternalStore(controller.cards.tick.subscribe, controller.cards.tick.get, controller.cards.tick.get);
  const [, setSecond] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSecond(second => second + 1), 1000);
    return () => clearInterval(timer);
  }, []);
}

function Card({ controller, card }: { controller: MapController; card: OpenCard }) {
  useFreshly(controller);
  const { kind, id, pinned } = card;
  const side = controller.standing.sideOf(kind);
  const place = useMemo(() => () => controller.standing.placeOf(id), [controller, id]);
  const hasWords = useMapState(controller, state => state.hasWords);
  const anchor = useMemo(() => anchored(controller, place, side), [controller, place, side]);
  const content = controller.cards.source?.(kind, id, controller.serverNow());
  if (!content) return null;
  const status = content.statusText ? controller.standing.statusOf(id) : null;
  const at = content.directions ? place() : null;
  return (
    <section
      ref={anchor}
      className={cx(
        look.anchor,
        styles.float,
        look.card,
        side === 'below' && look.below,
        card.onlySelected && look.said,
      )}
      aria-label={content.title}
      onPointerEnter={() => controller.cards.hold()}
      onPointerLeave={event => hovers(event) && controller.cards.hover(null)}
      onFocus={() => controller.cards.hold()}
      onBlur={() => controller.cards.hover(null)}
    >
      <h2>
        <span className={look.names}>
          <span className={look.title}>{content.title}</span>{' '}
          {content.subtitle && <small className={cx(!content.statusText && look.lead)}>{content.subtitle}</small>}
        </span>
        {content.aside && <small className={look.aside}>{content.aside}</small>}
        <PinButton controller={controller} id={id} pinned={pinned} />
      </h2>
      {content.statusText && (
        <div className={look.statusLine}>
          <span className={cx(look.status, status && look[status])}>{content.statusText}</span>
          {content.tag && <Tag>{content.tag}</Tag>}
        </div>
      )}
      <DescriptionList lines={content.lines} isList={content.isList ?? false} />
      {at && pinned && <PlaceCodes place={at} hasWords={hasWords} />}
      {at && <Directions place={at} />}
      {content.path && <DetailLink controller={controller} path={content.path} title={content.title} />}
    </section>
  );
}

function PinButton({ controller, id, pinned }: { controller: MapController; id: string; pinned: boolean }) {
  return (
    <button
      type="button"
      className={styles.pin}
      aria-pressed={pinned}
      aria-label="Pin card"
      title={pinned ? 'Unpin' : 'Pin'}
      onClick={() => controller.pin(id, !pinned)}
    >
      <Pin fill={pinned ? 'currentColor' : 'none'} />
    </button>
  );
}

function DescriptionList({ lines, isList }: { lines: readonly CardLine[]; isList: boolean }) {
  if (lines.length === 0) return null;
  return (
    // What scrolls must be reached by the keyboard.
    <dl className={cx(look.facts, isList && look.scrolls)} {...(isList && { tabIndex: 0 })}>
      {lines.map(line => (
        <Fact key={`${line.label}/${line.value}`} line={line} />
      ))}
    </dl>
  );
}

function Fact({ line }: { line: CardLine }) {
  const past = line.past ? look.past : undefined;
  return (
    <>
      <dt className={past}>{line.label}</dt>
      <dd className={past}>{line.value}</dd>
    </>
  );
}

/** To the row's own screen. It is an address: a new tab can have it. */
function DetailLink({ controller, path, title }: { controller: MapController; path: string; title: string }) {
  return (
    <div className={look.actions}>
      <a
        className={cx(styles.action, look.detail)}
        href={path}
        aria-label={`Details of ${title}`}
        onClick={event => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          controller.openCardLink(path);
        }}
      >
        Details
        <ChevronRight />
      </a>
    </div>
  );
}

/** The way to a place to copy, and the ways by a navigation app: the first is the one that is copied. */
function Directions({ place }: { place: LatLng }) {
  const [copied, copy] = useCopied(COPIED_MS);
  return (
    <div className={look.actions}>
      <button type="button" className={styles.action} onClick={() => copy('link', navigationLink(place))}>
        <Copy />
        {copied ? 'Copied' : 'Copy'}
      </button>
      <Ways place={place} />
    </div>
  );
}

/** One link for each navigation app. */
export function Ways({ place }: { place: LatLng }) {
  return waysTo(place).map(({ name, href, label }, at) => (
    <a key={name} className={styles.action} href={href} target="_blank" rel="noreferrer" aria-label={label}>
      {at === 0 && <Navigation />}
      {at === 0 ? 'Go' : name}
    </a>
  ));
}
