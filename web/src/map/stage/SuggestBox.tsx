import limits from '@catalog/limits.json';
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from 'react';
import { cx } from '~/lib/cx';
import finder from './finder.module.css';
import styles from './map.module.css';

/** Something that a search box offers. */
export interface Suggestion {
  readonly key: string;
  readonly label: string;
  /** What it is, or where. */
  readonly hint: string;
  /** It is not quite what was asked for: Enter alone does not take it. */
  readonly isPartial?: boolean | undefined;
  readonly choose: () => void;
}

/**
 * What is said under a search box. `isRefused`: to what was entered, whether or not the list is open; `isHint`: of what
 * may be entered, before anything is.
 */
export interface BoxWords {
  readonly text: string;
  readonly isBad: boolean;
  readonly isRefused?: boolean;
  readonly isHint?: boolean;
}

export interface SuggestBoxProps {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  list: readonly Suggestion[];
  words: BoxWords | null;
  /** Enter; with the suggestion that is marked, if one is. */
  onEnter: (marked: Suggestion | null) => void;
  onEscape?: (() => void) | undefined;
  autoFocus?: boolean | undefined;
  /** Offers before anything is typed. */
  opensOnFocus?: boolean;
  formRef?: RefObject<HTMLFormElement | null> | undefined;
  /** It stands in a form, which cannot hold another one. */
  isInForm?: boolean | undefined;
  /** Before and after the input. */
  before?: ReactNode;
  after?: ReactNode;
}

/** A search box that offers what may be meant; arrow keys mark a suggestion, Enter takes it. */
export function SuggestBox(props: SuggestBoxProps) {
  const { text, list, words, onEscape } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const shows = isOpen && list.length > 0;
  const isRefused = words?.isRefused ?? false;
  const close = () => {
    setOpen(false);
    setMarked(-1);
  };
  const enter = () => {
    const chosen = list[marked] ?? null;
    if (!chosen && list[0]?.isPartial) setOpen(true);
    else if (list.length > 0) close();
    props.onEnter(chosen);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') {
      if (!shows && !onEscape) return;
      event.stopPropagation();
      if (shows) setOpen(false);
      else onEscape?.();
      return;
    }
    if (event.key === 'Enter' && props.isInForm) {
      event.preventDefault();
      enter();
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || list.length === 0) return;
    event.preventDefault();
    setOpen(true);
    // One step beyond either end is the text itself.
    setMarked(at => ((at + 1 + by + list.length + 1) % (list.length + 1)) - 1);
  };
  const box = (
    <>
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
        aria-invalid={isRefused}
        aria-describedby={`${id}-words`}
        onChange={event => {
          props.onText(event.target.value);
          setOpen(true);
          setMarked(-1);
        }}
        onFocus={() => props.opensOnFocus && setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {props.after}
    </>
  );
  const look = cx(styles.float, finder.finder);
  return (
    <div className={finder.search}>
      {props.isInForm ? (
        <div className={cx(look, finder.whole)}>{box}</div>
      ) : (
        <form
          ref={props.formRef}
          data-over-map
          className={look}
          onSubmit={event => {
            event.preventDefault();
            enter();
          }}
        >
          {box}
        </form>
      )}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Suggestions"
        className={cx(styles.float, finder.suggestions)}
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
              onTake={() => {
                close();
                suggestion.choose();
              }}
            />
          ))}
      </div>
      <div id={`${id}-words`}>
        <div role="status">{!isRefused && words && (isOpen || words.isHint) && <Hint {...words} />}</div>
        {isRefused && words && (
          <div role="alert">
            <Hint {...words} />
          </div>
        )}
      </div>
    </div>
  );
}

function Hint({ text, isBad }: BoxWords) {
  return (
    <div className={cx(styles.float, finder.finderHint)} data-bad={isBad || undefined}>
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
    <div id={id} role="option" aria-selected={isMarked} className={finder.suggestion} onClick={onTake}>
      <span>{suggestion.label}</span>
      <small>{suggestion.hint}</small>
    </div>
  );
}
