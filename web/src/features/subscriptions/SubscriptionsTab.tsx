import type { ManagerPlace } from '~/model/manager';
import { useOrganization } from '~/session';
import { SubscriptionAdd, SubscriptionEdit } from './SubscriptionForm';
import { SubscriptionList } from './SubscriptionList';
import { SubscriptionRead } from './SubscriptionRead';

/** The Incoming feeds tab: the feeds of others that the organization reads. */
export default function SubscriptionsTab({ view, target }: ManagerPlace) {
  const { id } = useOrganization();
  if (view === 'list') return <SubscriptionList key={id} />;
  if (target === undefined) return <SubscriptionAdd key={id} />;
  return view === 'form' ? <SubscriptionEdit id={target} /> : <SubscriptionRead id={target} />;
}
