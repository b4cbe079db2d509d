import { useQueryClient } from '@tanstack/react-query';
import { Radio, Truck } from 'lucide-react';
import { useRef, useState } from 'react';
import { Back, EditForm, Permitted, sayMarked, useDraft, useGoTo } from '~/office';
import { useMay, useOrganization } from '~/session';
import { Button, ChoiceCards, OfficePage, PageHead, Steps } from '~/ui';
import { Fields } from './Fields';
import {
  blank,
  bodyOf,
  type Integration,
  MAY,
  type Provider,
  providerOf,
  providers,
  schemaOf,
  TAB,
  useIntegrationMutations,
  vehiclesOf,
} from './integration';
import { STEPS, useGoToVehicles } from './paths';

const icons = { geotab: Truck, samsara: Radio } as const;
const back = <Back tab={TAB}>Integrations</Back>;

/** Connects an account: whose it is, how it is reached, and then, on the integration's page, what comes of it. */
export function IntegrationAdd() {
  const [provider, setProvider] = useState<Provider>();
  const words = provider && providerOf(provider);
  return (
    <OfficePage narrow>
      <PageHead
        back={back}
        title={words ? `Connect ${words.label}` : 'Connect a provider'}
        sentence={
          words ? 'Nothing is imported before you have seen what would come.' : 'Where do your vehicles report?'
        }
      />
      <Permitted may={useMay(MAY.add)}>
        <Steps steps={STEPS} at={provider ? 1 : 0} />
        {provider ? (
          <Account provider={provider} onBack={() => setProvider(undefined)} />
        ) : (
          <ChoiceCards
            onChoose={setProvider}
            cards={providers.map(({ id, label, holds }) => ({ id, Icon: icons[id], title: label, sentence: holds }))}
          />
        )}
      </Permitted>
    </OfficePage>
  );
}

/** The second step: the account is saved, but not started, and the provider is asked for its vehicles. */
function Account({ provider, onBack }: { provider: Provider; onBack: () => void }) {
  const { id: organization_id } = useOrganization();
  const mutations = useIntegrationMutations();
  const queries = useQueryClient();
  const goTo = useGoTo();
  const goToVehicles = useGoToVehicles();
  const [schema] = useState(() => schemaOf(provider, true));
  /** Saved already, if the provider refused the account before. */
  const saved = useRef<Integration>(undefined);
  /** What is sent again as it was after a lost answer makes no second one. */
  const sent = useRef({ said: '', id: '' });
  const draft = useDraft({
    schema,
    begun: blank,
    send: async (_, __, values) => {
      const body = bodyOf(values);
      const said = JSON.stringify(body);
      if (sent.current.said !== said) sent.current = { said, id: crypto.randomUUID() };
      const made = { ...body, id: sent.current.id, organization_id, provider, is_active: false };
      saved.current = saved.current ? await mutations.save(saved.current, body) : await mutations.create(made);
      const { id } = saved.current;
      await queries.fetchQuery(vehiclesOf(id));
      await goToVehicles(id);
    },
    say: sayMarked('generic'),
  });
  return (
    <EditForm
      label={`Connect ${providerOf(provider).label}`}
      submit={draft.isPending ? 'Asking for vehicles…' : 'Check the account'}
      draft={draft}
      cancel={<Button onPress={() => (saved.current ? void goTo({ tab: TAB }) : onBack())}>Back</Button>}
    >
      <Fields control={draft.control} provider={provider} />
    </EditForm>
  );
}
