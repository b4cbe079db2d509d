import limits from '@catalog/limits.json';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { chunk } from '~/lib/chunk';
import { useHeight } from '~/lib/size';
import type { Insets } from '~/map/types';
import { wordsOf } from '~/model/organization';
import { mapFoot } from '~/section/view';
import { setTitle, useBrand, useIsPhone, useOrganization } from '~/session';
import { Sheet } from '~/ui/Sheet';
import { type SheetStop, sheetHeight } from '~/ui/sheetStops';
import { ComingShape } from '../screens';
import { useSections } from '../sections';
import { DrawerSkeleton } from './DrawerSkeleton';
import { Section } from './Section';
import styles from './Shell.module.css';
import { sectionMaps } from './sectionMaps';
import { TopBar } from './TopBar';

const MapHost = lazy(chunk(() => import('./MapHost')));

/** The sections over the map: one map behind, the section's drawer (a sheet on phones) before it. */
export function MapShell() {
  const id = useLocation({ select: location => location.pathname.split('/')[2] ?? '' });
  return (
    <Section id={id}>
      <Stage section={id} label={useSectionLabel(id)} />
    </Section>
  );
}

function useSectionLabel(id: string): string {
  const { name } = useBrand();
  const words = wordsOf(useOrganization());
  const look = useSections().find(section => section.id === id)?.look;
  const label = look?.label(words) ?? '';
  useEffect(() => setTitle(label ? `${label} · ${name}` : name), [label, name]);
  return label;
}

function Stage({ section, label }: { section: string; label: string }) {
  const isPhone = useIsPhone();
  const maps = sectionMaps(useSections());
  const room = useRef<HTMLDivElement>(null);
  const height = useHeight(room);
  const foot = useRef<HTMLDivElement>(null);
  const footHeight = useHeight(foot);
  useEffect(() => {
    mapFoot.set(foot.current);
    return () => mapFoot.set(null);
  }, []);
  const [chosen, setChosen] = useState<SheetStop>('half');
  // The pin of a place that was looked for, and its card, need the map: the sheet lies low until somebody moves it.
  const [isLow, setLow] = useState(false);
  const stop = isLow ? 'peek' : chosen;
  const setStop = (next: SheetStop) => {
    setLow(false);
    setChosen(next);
  };
  const [onPin] = useState(() => (what: 'pinned' | 'gone' | 'placing') => {
    setLow(what === 'pinned');
    // What is filled in stands beside the map on which it is placed.
    if (what === 'placing') setChosen('half');
  });
  const [bar, setBar] = useState<HTMLElement | null>(null);
  return (
    <ComingShape value={<DrawerSkeleton />}>
      {isPhone ? (
        <Sheet label={label} stop={stop} onStop={setStop} available={height}>
          <Outlet />
        </Sheet>
      ) : (
        <section key="panel" className={styles.drawer} aria-label={label}>
          <Outlet />
        </section>
      )}
      <div key="map" ref={room} className={styles.map}>
        <Suspense fallback={null}>
          <MapHost
            maps={maps}
            section={section}
            insets={isPhone ? phoneInsets(stop, height) : { ...DRAWER_INSETS, bottom: footHeight }}
            bar={bar}
            onPin={onPin}
          />
        </Suspense>
      </div>
      <div key="foot" ref={foot} className={styles.foot} />
      <TopBar key="top">
        <div ref={setBar} className={styles.slot} />
      </TopBar>
    </ComingShape>
  );
}

const DRAWER_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: limits.ui.drawerPx.value };

/** A full sheet leaves no map to speak of: then the camera keeps to what half leaves. */
function phoneInsets(stop: SheetStop, height: number): Insets {
  return { top: 0, right: 0, bottom: height === 0 ? 0 : sheetHeight(stop === 'full' ? 'half' : stop, height), left: 0 };
}
