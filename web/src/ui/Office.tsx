import { ChevronLeft } from 'lucide-react';
import { Fragment, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { cx } from '~/lib/cx';
import styles from './Office.module.css';

/** The scrolling sheet of an office page; tables and forms inside measure themselves by its width. */
export function OfficePage({ children, narrow }: { children: ReactNode; narrow?: boolean }) {
  return (
    <div className={styles.sheet}>
      <div className={cx(styles.inner, narrow && styles.narrow)}>{children}</div>
    </div>
  );
}

/** Whether a page stood before: only then did something take the focus with it. */
let hasStood = false;

/**
 * Gives the focus to a heading where it would be lost: the press that led here has gone with its page, or what had the
 * focus (a row, a button) has gone from this one. Keyboards and screen readers go on from there.
 */
export function useFocusKept(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const isLost = () => document.activeElement === null || document.activeElement === document.body;
    const take = () => {
      if (isLost()) heading.current?.focus({ preventScroll: true });
    };
    if (hasStood) take();
    hasStood = true;
    let had = document.activeElement;
    let frame = 0;
    const remember = (event: FocusEvent) => {
      had = event.target as Element;
    };
    const gone = new MutationObserver(() => {
      if (!had || had.isConnected || !isLost()) return;
      had = null;
      // A dialog that closes gives the focus back a frame later.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(take);
      });
    });
    document.addEventListener('focusin', remember);
    gone.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      gone.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [heading]);
}

export interface PageHeadProps {
  title: ReactNode;
  /** What the page is for, in one sentence. */
  sentence?: ReactNode;
  /** The one primary action and what stands beside it. */
  actions?: ReactNode;
  /** A link one level up (an `<a>` of the router); it gets the page's look. */
  back?: ReactNode;
}

/** Title, one sentence, one primary action. The title takes the focus where what had it has gone: `useFocusKept`. */
export function PageHead({ title, sentence, actions, back }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusKept(heading);
  return (
    <>
      {back}
      <header className={styles.head}>
        <div className={styles.headText}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {sentence && <p className={styles.sentence}>{sentence}</p>}
        </div>
        {actions && <div className={styles.headActions}>{actions}</div>}
      </header>
    </>
  );
}

/** The look of a link one level up. */
export const backLinkClass = styles.back ?? '';

/** What stands before the words of a link one level up. */
export const BackIcon = () => <ChevronLeft size={16} strokeWidth={1.75} aria-hidden="true" />;

/** Search and filters above a table; `end` says what is shown. */
export function Tools({ children, end }: { children: ReactNode; end?: ReactNode }) {
  return (
    <div className={styles.tools}>
      {children}
      {end && <div className={cx(styles.toolsEnd, 'num')}>{end}</div>}
    </div>
  );
}

/** A group of fields: what it is at the left, the fields at the right. */
export function FormSection({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {hint && <p>{hint}</p>}
      </header>
      <div className={styles.sectionBody}>{children}</div>
    </section>
  );
}

/** Two fields side by side; three with a wider first one. */
export function FormRow({ children, three }: { children: ReactNode; three?: boolean }) {
  return <div className={cx(styles.row, three && styles.row3)}>{children}</div>;
}

/** The buttons of a form, and under them what went wrong. */
export function FormFoot({ children, alert }: { children: ReactNode; alert?: ReactNode }) {
  return (
    <>
      <div className={styles.foot}>{children}</div>
      {alert && <div className={styles.footAlert}>{alert}</div>}
    </>
  );
}

/** A box with a heading, for what is read. */
export function Card(props: { title: string; hint?: ReactNode; action?: ReactNode; children?: ReactNode }) {
  return (
    <section className={styles.card} aria-label={props.title}>
      <div className={styles.cardHead}>
        <div>
          <h2>{props.title}</h2>
          {props.hint && <p>{props.hint}</p>}
        </div>
        {props.action}
      </div>
      {props.children}
    </section>
  );
}

/** Boxes under each other; `two`: beside each other where there is room. */
export function Cards({ children, two }: { children: ReactNode; two?: boolean }) {
  return <div className={cx(styles.cards, two && styles.two)}>{children}</div>;
}

/** Labels with their values beside them; an empty value shows as "–". `wide` is for boxes that span the page. */
export function DescriptionList({
  rows,
  wide,
}: {
  rows: readonly (readonly [label: string, value: ReactNode])[];
  wide?: boolean;
}) {
  return (
    <dl className={cx(styles.facts, wide && styles.wide)}>
      {rows.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value === '' || value === null || value === undefined || value === false ? '–' : value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

export interface PillProps {
  children: ReactNode;
  tone?: 'neutral' | 'accent' | 'good' | 'warn' | 'danger';
  icon?: ReactNode;
}

/** A word in a rounded frame: a relation, a state. The word says it; the color only helps. */
export function Pill({ children, tone = 'neutral', icon }: PillProps) {
  return (
    <span className={cx(styles.pill, tone !== 'neutral' && styles[tone])}>
      {icon}
      {children}
    </span>
  );
}

/** How far something is: `value` of 0 to 1, `label` in words, `note` at the end ("12 s left"). */
export function Progress({ value, label, note }: { value: number; label: string; note?: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div role="progressbar" aria-label={label} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
      <div className={cx(styles.progressHead, 'num')}>
        <span>{label}</span>
        <span>{note ? `${percent} % · ${note}` : `${percent} %`}</span>
      </div>
      <span className={styles.progress}>
        <i style={{ width: `${percent}%` }} />
      </span>
    </div>
  );
}
