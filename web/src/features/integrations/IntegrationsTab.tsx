import type { ManagerPlace } from '~/model/manager';
import { useOrganization } from '~/session';
import { IntegrationAdd } from './IntegrationAdd';
import { IntegrationEdit } from './IntegrationEdit';
import { IntegrationList } from './IntegrationList';
import { IntegrationRead } from './IntegrationRead';

/** The Integrations tab: the organization's accounts at fleet-telematics providers. */
export default function IntegrationsTab({ view, target }: ManagerPlace) {
  const { id } = useOrganization();
  if (view === 'list') return <IntegrationList key={id} />;
  if (target === undefined) return <IntegrationAdd key={id} />;
  return view === 'form' ? <IntegrationEdit id={target} /> : <IntegrationRead id={target} />;
}
