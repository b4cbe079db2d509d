import limits from '@catalog/limits.json';
import catalog from '@catalog/texts.json';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { say } from '~/api';
import { cx } from '~/lib/cx';
import { useDebounced } from '~/lib/debounce';
import { PLACE_KINDS, type Place, searchPlaces } from '~/model/places';
import type { LatLng } from '../types';
import styles from './map.module.css';
import over from './over.module.css';

/** Something that a search box offers. */
export interface Suggestion {
  readonly key: string;
  readonly label: string;
  /** What it is, or where. */
  readonly hint: string;
  readonly choose: () => void;
}

export interface PlaceSearchProps {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  /** The place that a search is near to: the middle of the map. */
  near: () => LatLng | null;
  onPlace: (place: Place) => void;
  /** What else a settled text finds; it stands before the places. */
  others?: (text: string) => readonly Suggestion[];
  onEscape?: () => void;
  autoFocus?: boolean;
  formRef?: RefObject<HTMLFormElement | null>;
  /** Before and after the input. */
  before?: ReactNode;
  after?: ReactNode;
}

/** What was found for a text; a failure is said in its place. */
interface Answer {
  readonly to: string;
  readonly places: readonly Place[];
  readonly failure: string | null;
}

const ask = (text: string, near: LatLng | null, signal?: AbortSignal): Promise<Answer> =>
  searchPlaces(text, near, signal).then(
    places => ({ to: text, places, failure: null }),
    error => ({ to: text, places: [], failure: say('generic', error) }),
  );

/** The places for a text that has stood still for 350 ms; null while they are on their way. */
function useAnswer(text: string, near: () => LatLng | null): [Answer | null, (answer: Answer) => void] {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const settled = useDebounced(text, limits.ui.searchDebounceMs.value);
  const place = useRef(near);
  place.current = near;
  useEffect(() => {
    if (settled.trim() === '') return;
    const abort = new AbortController();
    void ask(settled, place.current(), abort.signal).then(found => {
      if (!abort.signal.aborted) setAnswer(found);
    });
    return () => abort.abort();
  }, [settled]);
  return [answer?.to === text ? answer : null, setAnswer];
}

/** A search box for places: what may be meant is offered while somebody types; Enter takes the first or the marked one. */
export function PlaceSearch(props: PlaceSearchProps) {
  const { text, onText, near, onPlace, others, onEscape } = props;
  const id = useId();
  const latest = useRef(text);
  latest.current = text;
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const [refused, setRefused] = useState(false);
  const [answer, setAnswer] = useAnswer(text, near);
  const offered = (places: readonly Place[]): readonly Suggestion[] => [
    ...(others?.(text) ?? []),
    ...places.map(place => ({
      key: `${place.kind}/${place.lat}/${place.lng}/${place.label}`,
      label: place.label,
      hint: place.near || PLACE_KINDS[place.kind],
      choose: () => onPlace(place),
    })),
  ];
  const list = answer ? offered(answer.places) : [];
  const shows = isOpen && list.length > 0;
  const take = (suggestion: Suggestion): void => {
    setOpen(false);
    setMarked(-1);
    suggestion.choose();
  };
  const submit = async (): Promise<void> => {
    const found = answer ?? (text.trim() === '' ? null : await ask(text, near()));
    if (latest.current !== text) return;
    if (found) setAnswer(found);
    const first = found && (offered(found.places)[Math.max(marked, 0)] ?? null);
    if (first) take(first);
    else setRefused(!found?.failure);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (shows) setOpen(false);
      else onEscape?.();
      return;
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || list.length === 0) return;
    event.preventDefault();
    setOpen(true);
    // One step beyond either end is the text itself.
    setMarked(at => ((at + 1 + by + list.length + 1) % (list.length + 1)) - 1);
  };
  const words = wordsFor(refused, isOpen ? answer : null, list.length);
  return (
    <div className={over.search}>
      <form
        ref={props.formRef}
        data-over-map
        className={cx(styles.float, over.finder)}
        onSubmit={event => {
          event.preventDefault();
          void submit();
        }}
      >
        {props.before}
        <input
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for this box
          autoFocus={props.autoFocus}
          role="combobox"
          value={text}
          placeholder={props.placeholder}
          maxLength={limits.map.searchLetters.value}
          autoComplete="off"
          aria-label={props.label}
          aria-expanded={shows}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shows && marked >= 0 ? `${id}-${marked}` : undefined}
          aria-invalid={refused}
          aria-describedby={`${id}-words`}
          onChange={event => {
            onText(event.target.value);
            setOpen(true);
            setMarked(-1);
            setRefused(false);
          }}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        {props.after}
      </form>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Suggestions"
        className={cx(styles.float, over.suggestions)}
        hidden={!shows}
        // The input keeps the focus: leaving it closes the list.
        onMouseDown={event => event.preventDefault()}
      >
        {shows &&
          list.map((suggestion, at) => (
            <Option
              key={suggestion.key}
              id={`${id}-${at}`}
              suggestion={suggestion}
              isMarked={at === marked}
              onTake={() => take(suggestion)}
            />
          ))}
      </div>
      <div id={`${id}-words`}>
        <div role="status">{!refused && words && <Hint {...words} />}</div>
        {refused && words && (
          <div role="alert">
            <Hint {...words} />
          </div>
        )}
      </div>
    </div>
  );
}

/** What is said under the box; null while there is nothing to say. */
function wordsFor(refused: boolean, answer: Answer | null, offered: number): { text: string; isBad: boolean } | null {
  const { location, list } = catalog.texts.empty;
  if (refused) return { text: location, isBad: true };
  if (answer?.failure) return { text: answer.failure, isBad: true };
  return answer && offered === 0 ? { text: list, isBad: false } : null;
}

function Hint({ text, isBad }: { text: string; isBad: boolean }) {
  return (
    <div className={cx(styles.float, over.finderHint)} data-bad={isBad || undefined}>
      {text}
    </div>
  );
}

interface OptionProps {
  id: string;
  suggestion: Suggestion;
  isMarked: boolean;
  onTake: () => void;
}

function Option({ id, suggestion, isMarked, onTake }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the list are those of its input
    // biome-ignore lint/a11y/useFocusableInteractive: the input holds the focus and names the marked one
    <div id={id} role="option" aria-selected={isMarked} className={over.suggestion} onClick={onTake}>
      <span>{suggestion.label}</span>
      <small>{suggestion.hint}</small>
    </div>
  );
}
