import limits from '@catalog/limits.json';
import catalog from '@catalog/texts.json';
import { useEffect, useRef, useState } from 'react';
import { say } from '~/api';
import { useDebounced } from '~/lib/debounce';
import { PLACE_KINDS, type Place, searchPlaces } from '~/model/places';
import type { LatLng } from '../types';
import { type BoxWords, SuggestBox, type SuggestBoxProps, type Suggestion } from './SuggestBox';

export interface PlaceSearchProps extends Omit<SuggestBoxProps, 'list' | 'words' | 'onEnter' | 'opensOnFocus'> {
  /** The place that a search is near to: the middle of the map. */
  near: () => LatLng | null;
  onPlace: (place: Place) => void;
  /** What may be entered, in words; without, the placeholder says enough. */
  finds?: string;
  /** What else a settled text finds; it stands before the places. */
  others?: (text: string) => readonly Suggestion[];
}

/** What was found for a text; a failure is said in its place, and why there is nothing. */
interface Answer {
  readonly to: string;
  readonly places: readonly Place[];
  readonly why?: string | undefined;
  readonly failure: string | null;
}

const ask = (text: string, near: LatLng | null, signal?: AbortSignal): Promise<Answer> =>
  searchPlaces(text, near, signal).then(
    found => ({ to: text, ...found, failure: null }),
    error => ({ to: text, places: [], failure: say('generic', error) }),
  );

/** The places for a text that has stood still for 350 ms, null while they are on their way; and whether it has. */
function useAnswer(text: string, near: () => LatLng | null) {
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
  return { answer: answer?.to === text ? answer : null, setAnswer, isSettled: settled === text && text.trim() !== '' };
}

/**
 * A search box for places: what may be meant is offered while somebody types; Enter takes the first or the marked
 * one; a near match only when it is marked.
 */
export function PlaceSearch(props: PlaceSearchProps) {
  const { text, onText, near, onPlace, others, finds, ...box } = props;
  const latest = useRef(text);
  latest.current = text;
  const [isRefused, setRefused] = useState(false);
  const [isUnsure, setUnsure] = useState(false);
  const { answer, setAnswer, isSettled } = useAnswer(text, near);
  const offered = (places: readonly Place[]): readonly Suggestion[] => [
    ...(text.trim() === '' ? [] : (others?.(text) ?? [])),
    ...places.map(place => ({
      key: `${place.kind}/${place.lat}/${place.lng}/${place.label}`,
      label: place.label,
      hint: [place.is_partial && 'Near match', place.near || PLACE_KINDS[place.kind]].filter(Boolean).join(' · '),
      isPartial: place.is_partial,
      choose: () => onPlace(place),
    })),
  ];
  // What else is found is here already: it does not wait for the places, nor for a network that may be gone.
  const list = answer || isSettled ? offered(answer?.places ?? []) : [];
  const enter = async (marked: Suggestion | null): Promise<void> => {
    const known = marked ?? offered([])[0];
    if (known) return known.choose();
    const found = answer ?? (text.trim() === '' ? null : await ask(text, near()));
    if (latest.current !== text) return;
    if (found) setAnswer(found);
    const first = found && offered(found.places)[0];
    if (first?.isPartial) setUnsure(true);
    else if (first) first.choose();
    else setRefused(!found?.failure);
  };
  const said = (): BoxWords | null => {
    if (isUnsure && list.length > 0) return NEAR_ONLY;
    if (finds && text === '' && !isRefused) return { text: finds, isBad: false, isHint: true };
    return wordsFor(isRefused, answer, list.length);
  };
  return (
    <SuggestBox
      {...box}
      text={text}
      onText={typed => {
        setRefused(false);
        setUnsure(false);
        onText(typed);
      }}
      list={list}
      words={said()}
      onEnter={marked => void enter(marked)}
    />
  );
}

const NEAR_ONLY: BoxWords = { text: catalog.texts.finder.partial, isBad: false };

/** What is said under the box; null while there is nothing to say. */
function wordsFor(isRefused: boolean, answer: Answer | null, offered: number): BoxWords | null {
  const { location, list } = catalog.texts.empty;
  if (isRefused) return { text: answer?.why ?? location, isBad: true, isRefused };
  if (answer?.failure) return { text: answer.failure, isBad: true };
  return answer && offered === 0 ? { text: answer.why ?? list, isBad: false } : null;
}
