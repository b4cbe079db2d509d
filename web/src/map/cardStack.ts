import limits from '@catalog/limits.json';
import { createStore } from '~/lib/store';
import type { AssetsMapLayer } from './assets/layer';
import { HOVERED, PINNED } from './assets/table';
import type { Hit } from './layers/rows';
import type { CardSource, MapState, OpenCard } from './types';

const CARDS_MAX = limits.map.cardsMax.value;
/** A card stays a moment after the pointer left its mark, so that the pointer can reach it. */
const HOVER_KEEP_MS = 220;

export interface CardStackHost {
  readonly layer: AssetsMapLayer;
  state(): MapState;
  patch(change: Partial<MapState>): void;
  /** the noun that an id is of */
  kindOf(id: string): string;
  hovered(assetId: string | null): void;
}

/** Which cards are open (the pinned ones, the selected one and the hovered one), and what they say. */
export class CardStack {
  /** Grows with each batch: open cards are described again. */
  readonly tick = createStore(0);
  /** Words of an open card now. */
  source: CardSource | null = null;
  #hover: Hit | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #host: CardStackHost;

  constructor(host: CardStackHost) {
    this.#host = host;
  }

  setSource(source: CardSource | null): void {
    this.source = source;
    this.changed();
  }

  changed(): void {
    this.tick.set(tick => tick + 1);
  }

  /** What the pointer is over. */
  hover(target: Hit | null): void {
    clearTimeout(this.#timer);
    if (target && this.#hover?.id === target.id) return;
    if (target) this.#setHover(target);
    else if (this.#hover) this.#timer = setTimeout(() => this.#setHover(null), HOVER_KEEP_MS);
  }

  /** The pointer is on the card itself. */
  hold(): void {
    clearTimeout(this.#timer);
  }

  #setHover(target: Hit | null): void {
    const { table } = this.#host.layer;
    const before = this.#hover;
    this.#hover = target;
    if (before?.kind === 'asset') table.mark(table.rowOf(before.id), HOVERED, false);
    if (target?.kind === 'asset') table.mark(table.rowOf(target.id), HOVERED, true);
    this.#host.layer.invalidate();
    this.#host.hovered(target?.kind === 'asset' ? target.id : null);
    this.open();
  }

  pin(id: string, on: boolean): void {
    const { pinned } = this.#host.state();
    if (pinned.includes(id) === on) return;
    const next = on ? [...pinned, id].slice(-CARDS_MAX) : pinned.filter(other => other !== id);
    const { table } = this.#host.layer;
    for (const other of pinned) if (!next.includes(other)) table.mark(table.rowOf(other), PINNED, false);
    if (on) table.mark(table.rowOf(id), PINNED, true);
    this.#host.patch({ pinned: next });
    this.#host.layer.invalidate();
    this.open();
  }

  /** Says again which cards are open; the newest stay when there are too many. */
  open(): void {
    const { pinned, selected } = this.#host.state();
    const { kindOf } = this.#host;
    const cards: OpenCard[] = pinned.map(id => ({ kind: kindOf(id), id, pinned: true, onlySelected: false }));
    const add = (card: OpenCard): void => {
      if (!cards.some(open => open.id === card.id)) cards.push(card);
    };
    const hover = this.#hover;
    if (selected) add({ kind: kindOf(selected), id: selected, pinned: false, onlySelected: hover?.id !== selected });
    if (hover) add({ ...hover, pinned: false, onlySelected: false });
    this.#host.patch({ cards: cards.slice(-CARDS_MAX) });
  }
}
