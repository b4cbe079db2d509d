import type { ReactNode } from 'react';
import { formatLatLng } from '~/lib/coordinates';
import { useThing } from '~/live';
import { toneOf } from '~/model/describe';
import { NONE } from '~/model/format';
import { statusLabel } from '~/model/status';
import { useCan } from '~/session';
import look from './detail.module.css';
import { ScreenLink } from './EditLink';
import { Mark } from './Mark';
import { DetailSection } from './parts';
import { pathsOf } from './paths';

const assetPath = pathsOf('things').detail;

/** Where it is, among what is known of a row. */
export const placeFact = (at: { lat: number; lng: number }) =>
  [
    'Coordinates',
    <span key="at" className="mono">
      {formatLatLng(at)}
    </span>,
  ] as const;

/** What is read first of a row, in large letters. */
export const Figures = ({ rows }: { rows: readonly (readonly [label: string, value: string])[] }) => (
  <dl className={`${look.figures} num`}>
    {rows.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value || NONE}</dd>
      </div>
    ))}
  </dl>
);

/** The name of an asset; a link for those who may open it. */
export function AssetLink({ id, name }: { id: string; name: string }) {
  return useCan('VIEW_THINGS') ? <ScreenLink to={assetPath(id)}>{name}</ScreenLink> : name;
}

interface AssetSectionProps {
  title: string;
  /** how many there are: "2 assets"; '' for none */
  count: string;
  /** what stands there then */
  none: string;
  /** how the list of them looks where they are no `Asset`s */
  look?: string | undefined;
  children: ReactNode;
}

/** Which assets are at a row now, or were. */
export const AssetSection = ({ title, count, none, look: own = look.assets, children }: AssetSectionProps) => (
  <DetailSection title={count ? `${title}: ${count}` : title}>
    {count ? <ul className={`${own} ${look.live}`}>{children}</ul> : <p className={look.none}>{none}</p>}
  </DetailSection>
);

/** One of them, with its state; without a `name`, only one that the live picture has. */
export function Asset({ id, name, children }: { id: string; name?: string; children?: ReactNode }) {
  const thing = useThing(id);
  const called = name ?? thing?.primaryDisplayName;
  if (called === undefined) return null;
  return (
    <li>
      {thing ? <Mark thing={thing} size={26} /> : <span />}
      <AssetLink id={id} name={called} />
      <span className={thing && `s-${toneOf(thing)}`}>{thing && statusLabel(thing.status, thing.isResponderType)}</span>
      {children}
    </li>
  );
}
