import { Check, CircleAlert, CircleSlash } from 'lucide-react';
import { type Export, exportState } from '~/model/export';
import { Pill, Progress, Two } from '~/ui';
import { rowsText } from './words';

const icon = { size: 12, strokeWidth: 2, 'aria-hidden': true } as const;

/** How an export stands: how far it is, what is in it, or why there is nothing. */
export function ExportStatus({ row }: { row: Export }) {
  switch (exportState(row)) {
    case 'making':
      return row.status === 'requested' ? (
        <Two sub="Waiting for its turn">
          <Pill tone="accent">In progress</Pill>
        </Two>
      ) : (
        <Two sub={rowsText(row.rows)}>
          <Progress value={row.progress} label="In progress" />
        </Two>
      );
    case 'completed':
      return (
        <Two sub={rowsText(row.rows)}>
          <Pill tone="good" icon={<Check {...icon} />}>
            Completed
          </Pill>
        </Two>
      );
    case 'canceled':
      return (
        <Two sub={row.error}>
          <Pill icon={<CircleSlash {...icon} />}>Canceled</Pill>
        </Two>
      );
    default:
      return (
        <Two sub={row.error}>
          <Pill tone="danger" icon={<CircleAlert {...icon} />}>
            Failed
          </Pill>
        </Two>
      );
  }
}
