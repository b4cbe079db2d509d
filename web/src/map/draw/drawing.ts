import limits from '@catalog/limits.json';
import type { LineString, Point, Polygon } from 'geojson';
import { createStore, type Store } from '~/lib/store';
import type { LatLng } from '../types';
import { added, closed, halfway, moved, nudged, removed, resized, type Step, stepBetween } from './edits';
import { History } from './history';
import {
  type Draft,
  type DrawKind,
  type Drawn,
  draftOf,
  drawnOf,
  isWhole,
  kept,
  LEAST_POINTS,
  LEAST_RADIUS_M,
} from './shape';
import { didWords, type LengthUnit, sumWords } from './words';

export type SnapShape = Polygon | LineString | Point;

export interface DrawOptions {
  readonly kind: DrawKind;
  /** What it begins with; of the same kind. */
  readonly initial?: Drawn | null;
  /** After each step; null while there is no whole shape. */
  readonly onChange?: (drawn: Drawn | null) => void;
  /** The law of the shape: why it cannot be kept, in a sentence; null when it can. */
  readonly check?: (drawn: Drawn) => string | null;
  /** Its size in words, without a period: "0.12 square miles". */
  readonly describe?: (drawn: Drawn) => string;
  /** How lengths are read and typed; meters unless told. */
  readonly unit?: LengthUnit;
  /** Other shapes: points come to rest on their vertices and edges. A function answers those near a place, each time anew. */
  readonly snapTo?: readonly SnapShape[] | ((near: LatLng) => readonly SnapShape[]);
  /** A circle's radius in meters as soon as its center is set; without it the next press sets its edge. */
  readonly radiusM?: number;
  /** Nothing is drawn by hand: there is only a guide to see. */
  readonly isOnlyGuide?: boolean;
  /** Vertices at most; the catalog's unless told. */
  readonly mostPoints?: number;
}

/** What the map around it gives. */
export interface DrawHost {
  /** The middle of what is seen of the map; null without a map. */
  middle(): LatLng | null;
  /** Marks that middle, or no longer. */
  aim(on: boolean): void;
  /** Brings a place into sight. */
  reveal(place: LatLng): void;
  /** Has screen readers say a text. */
  say(text: string): void;
  closed(): void;
}

export interface DrawState {
  readonly draft: Draft;
  /** The shape under a pointer that holds it; null while none does. */
  readonly live: Draft | null;
  /** The vertex that keys and buttons are about. */
  readonly selected: number | null;
  /** Why the shape cannot be kept. */
  readonly problem: string | null;
  /** What its points stand for, such as the line along the road through them; none unless told. */
  readonly guide: readonly LatLng[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/**
 * A shape that is being drawn: every step of it, by pointer or by key, and the way back. It knows no MapLibre; the map
 * shows it and tells it what pointers do.
 */
export class Drawing {
  readonly kind: DrawKind;
  readonly unit: LengthUnit;
  readonly options: DrawOptions;
  readonly #host: DrawHost;
  readonly #history: History<Draft>;
  /** Leads to what was typed of the shape and cannot be read; null when there is none. */
  #unread: (() => void) | null = null;
  readonly state: Store<DrawState>;

  constructor(options: DrawOptions, host: DrawHost) {
    this.kind = options.kind;
    this.unit = options.unit ?? 'm';
    this.options = options;
    this.#host = host;
    this.#history = new History(draftOf(options.kind, options.initial ?? null));
    this.state = createStore(this.#stateNow(this.kind === 'circle' ? 0 : null));
  }

  /** What has been drawn; null until it is whole. */
  get(): Drawn | null {
    return drawnOf(this.kind, this.#history.now);
  }

  /** Puts another shape of the kind in its place, as a step. */
  set(drawn: Drawn | null): void {
    this.#take({ draft: draftOf(this.kind, drawn), did: 'set', index: null });
  }

  undo(): boolean {
    const went = this.#history.undo();
    if (went) this.#changed('undone', this.state.get().selected);
    else this.#host.say('Nothing to undo.');
    return went;
  }

  redo(): boolean {
    const went = this.#history.redo();
    if (went) this.#changed('redone', this.state.get().selected);
    else this.#host.say('Nothing to redo.');
    return went;
  }

  select(index: number | null): void {
    const { points } = this.#history.now;
    const selected = index !== null && index >= 0 && index < points.length ? index : null;
    if (selected === this.state.get().selected) return;
    this.state.set(state => ({ ...state, selected }));
    this.#reveal();
  }

  /** Moves a point by meters on the ground: the selected one, or a circle's center. */
  nudge(northM: number, eastM: number): void {
    const { selected } = this.state.get();
    const step = selected === null ? null : nudged(this.#history.now, selected, northM, eastM);
    if (step) this.#take(step);
    this.#reveal();
  }

  move(index: number, to: LatLng): void {
    this.#take(index < this.#history.now.points.length ? moved(this.#history.now, index, to) : this.#addedAtEnd(to));
    this.#reveal();
  }

  /** A point behind the selected one; without one, or at the end of what is still drawn, in the middle of the map. */
  add(): void {
    const draft = this.#history.now;
    const at = this.#between() ?? this.#host.middle() ?? draft.points.at(-1);
    if (at) this.#take(added(draft, this.#after(), at));
    this.#reveal();
  }

  /** Marks where `add` would set a point while that is the middle of the map; `on` as long as it is offered. */
  aim(on: boolean): void {
    this.#host.aim(on && this.#between() === null);
  }

  #after(): number {
    return this.state.get().selected ?? this.#history.now.points.length - 1;
  }

  #between(): LatLng | null {
    const draft = this.#history.now;
    const after = this.#after();
    return draft.isClosed || after < draft.points.length - 1 ? halfway(this.kind, draft, after) : null;
  }

  /** The selected vertex goes. */
  remove(): void {
    const { selected } = this.state.get();
    if (selected !== null && this.#history.now.points[selected]) {
      this.#take(removed(this.kind, this.#history.now, selected));
    }
  }

  /** The same, with the vertex that has come into its place selected: for keys, one press after the other. */
  removeAndStay(): void {
    const { selected } = this.state.get();
    this.remove();
    if (selected !== null) this.select(Math.min(selected, this.#history.now.points.length - 1));
  }

  /** Meters. Smaller than a meter is refused: false. */
  resize(radiusM: number): boolean {
    if (!(radiusM >= LEAST_RADIUS_M) || !Number.isFinite(radiusM)) return false;
    this.#take(resized(this.#history.now, radiusM));
    return true;
  }

  get canFinish(): boolean {
    const draft = this.#history.now;
    return !draft.isClosed && isWhole(this.kind, draft);
  }

  /** Sets the last vertex: Enter, a double click. false while it has too few points. */
  finish(): boolean {
    if (this.canFinish) this.#take(closed(this.#history.now));
    else if (!this.#history.now.isClosed && this.kind !== 'circle') {
      this.#host.say(`Set at least ${LEAST_POINTS[this.kind]} points.`);
    }
    return this.#history.now.isClosed;
  }

  /** What a pointer has done; `gesture` is its press, which is one step, whatever it does. */
  drew(draft: Draft, gesture?: unknown): void {
    const now = this.#history.now;
    const after = { ...draft, points: draft.points.map(kept) };
    const step = after.isClosed && !now.isClosed ? closed(after) : stepBetween(now, after);
    if (step) this.#take(step, gesture);
    else this.preview(null);
  }

  /** The shape under a pointer that has not let go. */
  preview(live: Draft | null): void {
    if (live !== this.state.get().live) this.state.set(state => ({ ...state, live }));
  }

  /** Its size in words: "5 points, 0.12 square miles." */
  sum(draft: Draft = this.#history.now): string {
    const drawn = drawnOf(this.kind, draft);
    return sumWords(this.kind, draft, this.unit, (drawn && this.options.describe?.(drawn)) ?? '');
  }

  /** What was typed cannot be read: until the returned undo, the shape is not what is meant. `lead` leads there. */
  hold(lead: () => void): () => void {
    this.#unread = lead;
    return () => {
      if (this.#unread === lead) this.#unread = null;
    };
  }

  /** Leads to what was typed and cannot be read, if there is any: true. */
  isHeld(): boolean {
    this.#unread?.();
    return this.#unread !== null;
  }

  /** Shows what the points stand for; it is no step of the drawing. */
  guide(guide: readonly LatLng[]): void {
    this.state.set(state => ({ ...state, guide }));
  }

  destroy(): void {
    this.#host.closed();
  }

  #addedAtEnd(to: LatLng): Step {
    return added(this.#history.now, this.#history.now.points.length - 1, to);
  }

  #take(taken: Step, gesture?: unknown): void {
    const step = this.#withRadius(taken);
    const most = this.options.mostPoints ?? limits.area.maxVertices.value;
    if (step.draft.points.length > Math.max(most, this.#history.now.points.length)) {
      this.#host.say(`A shape can have ${most.toLocaleString('en-US')} points at most.`);
      this.state.set(state => ({ ...state, live: null, draft: { ...state.draft } })); // drawn anew without it
      return;
    }
    this.#history.push(step.draft, gesture);
    const isGone = step.did === 'removed' || step.did === 'set';
    const kept = isGone ? null : (step.index ?? this.state.get().selected);
    this.#changed(step.did, this.kind === 'circle' ? 0 : kept, step.index);
  }

  /** A circle whose center has just been set has the radius that it is to begin with. */
  #withRadius(step: Step): Step {
    const { radiusM } = this.options;
    const { draft } = step;
    const isNew = this.kind === 'circle' && draft.points.length === 1 && draft.radiusM === 0;
    return isNew && radiusM ? { ...step, draft: { ...draft, radiusM, isClosed: true } } : step;
  }

  #changed(did: Step['did'] | 'undone' | 'redone', selected: number | null, index: number | null = null): void {
    this.state.set(this.#stateNow(selected));
    const { problem } = this.state.get();
    this.#host.say([didWords(this.kind, did, index), this.sum(), problem].filter(Boolean).join(' '));
    this.options.onChange?.(this.get());
  }

  #stateNow(selected: number | null): DrawState {
    const { now: draft, canUndo, canRedo } = this.#history;
    const drawn = drawnOf(this.kind, draft);
    const isThere = selected !== null && selected < Math.max(draft.points.length, this.kind === 'circle' ? 1 : 0);
    const problem = (drawn && this.options.check?.(drawn)) ?? null;
    const guide = this.state?.get().guide ?? [];
    return { draft, live: null, selected: isThere ? selected : null, problem, guide, canUndo, canRedo };
  }

  #reveal(): void {
    const { selected, draft } = this.state.get();
    const place = selected === null ? undefined : draft.points[selected];
    if (place) this.#host.reveal(place);
  }
}
