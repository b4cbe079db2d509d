import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Back, Cancel, EditForm, Permitted, RowPage, sayMarked, useDraft, useGoTo } from '~/office';
import { toastBack } from '~/section/undo';
import { useMay } from '~/session';
import { PageHead, toast } from '~/ui';
import { Fields } from './Fields';
import { bodyOf, type Integration, integrations, MAY, schemaOf, TAB, useIntegrationMutations } from './integration';

/** Edits an integration: its name, its account, the inputs of its lights. */
export function IntegrationEdit({ id }: { id: string }) {
  const back = (
    <Back tab={TAB} id={id}>
      Integration
    </Back>
  );
  const mayEdit = useMay(MAY.edit);
  return (
    <RowPage
      query={useQuery(integrations.one(id))}
      back={back}
      title="Integration"
      missing="Integration not found"
      edits
    >
      {row => (
        <>
          <PageHead back={back} title={`Edit ${row.name}`} />
          <Permitted may={mayEdit}>
            <Edit row={row} />
          </Permitted>
        </>
      )}
    </RowPage>
  );
}

function Edit({ row }: { row: Integration }) {
  const goTo = useGoTo();
  const mutations = useIntegrationMutations();
  const page = { tab: TAB, id: row.id };
  const [schema] = useState(() => schemaOf(row.provider, !row.has_secret));
  const draft = useDraft({
    schema,
    begun: row,
    read: () => ({ secret: '', webhook_secret: '' }),
    send: async (changes, base) => {
      const saved = await mutations.save(base, bodyOf(changes));
      if (saved.version !== base.version) toastBack('Integration saved', () => mutations.undo(saved));
      else toast('Integration saved');
      await goTo(page);
    },
    say: sayMarked('generic'),
    noun: 'integration',
  });
  return (
    <EditForm label="Edit integration" draft={draft} cancel={<Cancel {...page} />}>
      <Fields control={draft.control} provider={row.provider} row={row} />
    </EditForm>
  );
}
