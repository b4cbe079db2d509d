import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react';
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { formatLatLng, parseLatLng } from '~/lib/coordinates';
import { IconButton, TextField } from '~/ui';
import type { LatLng } from '../types';
import styles from './draw.module.css';
import type { Drawing } from './drawing';
import { LONG_STEP_M, moveKey, STEP_M } from './keys';

interface TypedProps {
  drawing: Drawing;
  label: string;
  /** What it says when nobody types. */
  value: string;
  /** Takes what was typed; false: it cannot be read. */
  take: (text: string) => boolean;
  refusal: string;
  hint?: string;
  after?: ReactNode;
  inputRef?: RefObject<HTMLInputElement | null>;
}

/**
 * A line that counts with Enter, or when the focus leaves it; Escape takes back what was typed. While its text cannot be
 * read, the shape is not what it says, and is not saved.
 */
export function TypedField({ drawing, label, value, take, refusal, hint, after, inputRef }: TypedProps) {
  const [text, setText] = useState(value);
  const [of, setOf] = useState(value);
  const [isRefused, setRefused] = useState(false);
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;
  useLayoutEffect(
    () => (isRefused ? drawing.hold(() => input.current?.focus()) : undefined),
    [isRefused, drawing, input],
  );
  if (of !== value) {
    setOf(value);
    setText(value);
    setRefused(false);
  }
  const commit = () => {
    if (text.trim() === value) setText(value);
    else setRefused(!take(text));
  };
  return (
    <TextField
      label={label}
      value={text}
      onChange={typed => {
        setText(typed);
        setRefused(false);
      }}
      onBlur={commit}
      onKeyDown={event => {
        if (event.key === 'Enter') commit();
        else if (event.key === 'Escape' && text !== value) {
          setText(value);
          setRefused(false);
        } else event.continuePropagation();
      }}
      error={isRefused ? refusal : undefined}
      hint={hint}
      after={after}
      inputRef={input}
    />
  );
}

interface PlaceFieldProps {
  drawing: Drawing;
  label: string;
  place: LatLng | undefined;
  onChange: (place: LatLng) => void;
  inputRef?: RefObject<HTMLInputElement | null>;
}

/** A place as "lat, lng". */
export function PlaceField({ drawing, label, place, onChange, inputRef }: PlaceFieldProps) {
  return (
    <TypedField
      drawing={drawing}
      label={`${label}: latitude, longitude`}
      value={place ? formatLatLng(place) : ''}
      take={text => {
        const to = parseLatLng(text);
        if (to) onChange(to);
        return to !== null;
      }}
      refusal="Enter a latitude and a longitude, such as 41.8623, -87.6167."
      {...(inputRef ? { inputRef } : {})}
    />
  );
}

/** Moves the selected place: by its buttons, and by the arrow keys on any of them. */
export function MovePad({ drawing, what }: { drawing: Drawing; what: string }) {
  const hint = useId();
  const way = (label: string, north: number, east: number, icon: ReactNode) => (
    <IconButton label={`Move ${label} ${STEP_M} m`} onPress={() => drawing.nudge(north * STEP_M, east * STEP_M)}>
      {icon}
    </IconButton>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div
      className={styles.pad}
      role="group"
      aria-label={`Move ${what}`}
      aria-describedby={hint}
      onKeyDown={event => {
        if (moveKey(drawing, event)) event.preventDefault();
      }}
    >
      {way('west', 0, -1, <ArrowLeft />)}
      {way('north', 1, 0, <ArrowUp />)}
      {way('south', -1, 0, <ArrowDown />)}
      {way('east', 0, 1, <ArrowRight />)}
      <span id={hint} className={styles.hint}>
        Arrow keys: {STEP_M} m. With Shift: {LONG_STEP_M} m.
      </span>
    </div>
  );
}
