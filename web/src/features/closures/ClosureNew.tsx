import { EmptyState } from '~/ui';

/** Makes a closure. */
export function ClosureNew() {
  return <EmptyState title="Add Closure" />;
}
