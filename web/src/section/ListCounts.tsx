import { countText, NONE } from '~/model/format';
import list from './list.module.css';

/** A count under a list's title: undefined until it is known; `tone` is the class of what stands out, if there are any. */
export interface ListCount {
  label: string;
  n: number | undefined;
  tone?: string;
}

/** How many rows there are of what, whatever the filters show. */
export const ListCounts = ({ counts }: { counts: readonly ListCount[] }) => (
  <div className={`${list.counts} num`}>
    {counts.map(({ label, n, tone }) => (
      <span key={label} className={n ? tone : undefined}>
        {label} <b>{n === undefined ? NONE : countText(n)}</b>
      </span>
    ))}
  </div>
);
