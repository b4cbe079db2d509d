import { type ReactNode, useEffect, useRef } from 'react';
import { type Shortcuts, useOrganization, useShortcuts } from '~/session';
import { useFullSheet, useMapInSight } from '~/ui';
import { BackButton } from './parts';
import { useGo } from './paths';
import styles from './screen.module.css';
import { useSelected } from './view';

export interface DrawerScreenProps {
  /** what the screen is: "Asset", "Edit Profile" */
  label: string;
  /** the row that it is about: selected on the map while the screen stands */
  id: string;
  /** address of the section's list, where another organization begins */
  list: string;
  /** one level up: the name and address of the screen there */
  back: { label: string; to: string };
  /** beside the way back */
  aside?: ReactNode;
  /**
   * A screen to fill in: its label is the heading and stays while the rest scrolls, a phone gives it the whole sheet,
   * and no key leaves it. Any other brings its own `Heading`.
   */
  isForm?: boolean;
  /** A form that is filled in on the map as well: a phone leaves room for both. */
  keepsMap?: boolean;
  keys?: Shortcuts;
  children: ReactNode;
}

/** The frame of a screen about one row of a section, in the drawer beside the map (a phone: in the sheet over it). */
export function DrawerScreen({ label, id, list, back, aside, isForm, keepsMap, keys, children }: DrawerScreenProps) {
  const go = useGo();
  const up = () => go(back.to);
  useSelected(id);
  useOwnOrganization(list);
  useShortcuts(isForm ? {} : { Escape: up, ...keys });
  const way = <BackButton label={back.label} onPress={up} />;
  return (
    <article className={styles.screen} aria-label={label}>
      {isForm ? (
        <>
          <div className={styles.formHead} data-sheet-head>
            {way}
            <Heading>{label}</Heading>
            {keepsMap ? <MapInSight /> : <FullSheet />}
          </div>
          {children}
        </>
      ) : (
        <div className={styles.scroll}>
          <div className={styles.backLine} data-sheet-head>
            {way}
            {aside}
          </div>
          {children}
        </div>
      )}
    </article>
  );
}

/** The heading of a screen. A screen that replaces another one says so: the focus goes to its name. */
export function Heading({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={title} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}

function MapInSight() {
  useMapInSight();
  return null;
}

function FullSheet() {
  useFullSheet();
  return null;
}

/** A screen about a row belongs to the organization it was opened in: another one begins with its list. */
function useOwnOrganization(list: string): void {
  const { id } = useOrganization();
  const begun = useRef(id);
  const go = useGo();
  useEffect(() => {
    if (id !== begun.current) go(list, { replace: true });
  }, [id, go, list]);
}
