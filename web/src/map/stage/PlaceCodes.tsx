import limits from '@catalog/limits.json';
import catalog from '@catalog/texts.json';
import { Check, Copy, Info } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { formatLatLng } from '~/lib/coordinates';
import { hovers } from '~/lib/media';
import { plusCode } from '~/lib/plusCode';
import { wordsAt } from '~/model/places';
import { useCopied } from '~/ui';
import type { LatLng } from '../types';
import look from './cards.module.css';
import styles from './map.module.css';

const COPIED_MS = limits.ui.copiedMapMs.value;
/** Eleven letters are a cell of some 3 m. */
const LETTERS = 11;
const ABOUT_WORDS = 'what3words gives every 3 m square a unique three-word address. Share it to meet there.';

/** How a place is told to others: coordinates, Plus Code and, where the server has a key, what3words. */
export function PlaceCodes({ place, hasWords }: { place: LatLng; hasWords: boolean }) {
  const code = plusCode(place, LETTERS);
  return (
    <dl className={look.codes}>
      <Code name="Coordinates" text={formatLatLng(place)} />
      <Code name="Plus Code" text={code} />
      {hasWords && <Words place={place} />}
    </dl>
  );
}

interface CodeProps {
  name: string;
  text: string;
  /** Why there is nothing to copy. */
  wanting?: string | undefined;
  children?: ReactNode;
}

function Code({ name, text, wanting, children }: CodeProps) {
  const [copied, copy] = useCopied(COPIED_MS);
  return (
    <>
      <dt>
        {name}
        {children}
      </dt>
      <dd>
        <span className={wanting === undefined ? 'mono' : look.wanting} role="status">
          {wanting ?? text}
        </span>
        {wanting === undefined && (
          <button
            type="button"
            className={styles.pin}
            aria-label={copied ? 'Copied' : `Copy ${name}`}
            title={copied ? 'Copied' : 'Copy'}
            onClick={() => copy(name, text)}
          >
            {copied ? <Check /> : <Copy />}
          </button>
        )}
      </dd>
    </>
  );
}

/** The what3words address, asked for when somebody looks at a place. */
function Words({ place }: { place: LatLng }) {
  const [words, setWords] = useState<string | null | undefined>(undefined);
  const { lat, lng } = place;
  useEffect(() => {
    const abort = new AbortController();
    setWords(undefined);
    wordsAt({ lat, lng }, abort.signal).then(
      found => setWords(found),
      () => !abort.signal.aborted && setWords(null),
    );
    return () => abort.abort();
  }, [lat, lng]);
  const { pending, notFound } = catalog.texts.w3w;
  const wanting = words === undefined ? pending : words === null ? notFound : undefined;
  return (
    <Code name="what3words" text={`///${words ?? ''}`} wanting={wanting}>
      <About />
    </Code>
  );
}

/** What three words are: on hover and focus, and for a finger by a tap. */
function About() {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <span className={look.about}>
      <button
        type="button"
        className={styles.pin}
        aria-label="About what3words"
        aria-describedby={open ? id : undefined}
        onPointerEnter={event => hovers(event) && setOpen(true)}
        onPointerLeave={event => hovers(event) && setOpen(false)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onKeyDown={event => {
          if (event.key !== 'Escape' || !open) return;
          event.stopPropagation();
          setOpen(false);
        }}
      >
        <Info />
      </button>
      {open && (
        <span id={id} role="tooltip" className={look.tip}>
          {ABOUT_WORDS}
        </span>
      )}
    </span>
  );
}
