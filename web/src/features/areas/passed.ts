import type { Schemas } from '~/api';
import { instantOf } from '~/model/instant';

type Visit = Schemas['Visit'];

/** Whoever leaves sooner drove past (chosen): a stop for a crew takes longer. */
export const PASS_MS = 30_000;

/** Visits one after the other that were none, newest first. */
export interface Passed {
  readonly passes: readonly Visit[];
}

const isPass = ({ arrived_at, left_at }: Visit): boolean =>
  left_at !== null && instantOf(left_at) - instantOf(arrived_at) < PASS_MS;

/** Visits, newest first, with neighbors that only drove past as one; a single one stays as it is. */
export function foldedVisits(rows: readonly Visit[]): readonly (Visit | Passed)[] {
  const out: (Visit | Passed)[] = [];
  let run: Visit[] = [];
  const end = () => {
    if (run.length > 1) out.push({ passes: run });
    else out.push(...run);
    run = [];
  };
  for (const row of rows) {
    if (isPass(row)) {
      run.push(row);
      continue;
    }
    end();
    out.push(row);
  }
  end();
  return out;
}
