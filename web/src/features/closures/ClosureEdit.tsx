import { EmptyState } from '~/ui';

/** Edits a closure. */
export function ClosureEdit(_: { id: string }) {
  return <EmptyState title="Edit Closure" />;
}
