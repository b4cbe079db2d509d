import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import { Back, Cancel, EditForm, Permitted, things, useDraft, useGoTo } from '~/office';
import { useMay, useOrganization } from '~/session';
import { FormRow, FormSection, FormTextField, OfficePage, PageHead, SegmentedLine, SelectLine, toast } from '~/ui';
import { blank, holdSchema, newHoldOf, sayHold, scopes, TAB, useHoldMutations } from './retention';

/** Places a legal hold. */
export function HoldAdd() {
  return (
    <OfficePage narrow>
      <PageHead
        back={<Back tab={TAB}>Retention</Back>}
        title="Place legal hold"
        sentence="Data under a legal hold stays after its time. People can still change and delete records; the audit has what they were."
      />
      <Permitted may={useMay('EDIT_LEGAL_HOLDS')}>
        <Form />
      </Permitted>
    </OfficePage>
  );
}

function Form() {
  const { id, timezone } = useOrganization();
  const goTo = useGoTo();
  const mutations = useHoldMutations();
  const draft = useDraft({
    schema: holdSchema,
    begun: blank,
    send: async (_, __, values) => {
      await mutations.place(newHoldOf(values, id, timezone));
      toast('Legal hold placed');
      await goTo({ tab: TAB });
    },
    say: sayHold,
  });
  const { control } = draft;
  const scope = useWatch({ control, name: 'scope' });
  return (
    <EditForm label="Place legal hold" submit="Place legal hold" draft={draft} cancel={<Cancel tab={TAB} />}>
      <FormSection title="Reason" hint="For example: the case number and who asked for it.">
        <FormTextField control={control} name="reason" label="Reason" rows={2} isRequired autoFocus />
      </FormSection>
      <FormSection title="Keeps" hint="A hold of one asset keeps its positions, runs, events, visits, and closures.">
        <SegmentedLine control={control} name="scope" label="Keeps" options={scopes} />
        {scope === 'one' && <AssetLine control={control} />}
      </FormSection>
      <FormSection
        title="Span"
        hint={`Days of the data, in ${timezone}. Leave empty to keep everything. A day more is kept on both sides.`}
      >
        <FormRow>
          <FormTextField control={control} name="from" label="First day" type="date" />
          <FormTextField control={control} name="to" label="Last day" type="date" />
        </FormRow>
      </FormSection>
      <FormSection
        title="Ends"
        hint="The hold ends after this day by itself. Leave empty to keep it until someone lifts it."
      >
        <FormTextField control={control} name="ends_at" label="Ends after" type="date" />
      </FormSection>
    </EditForm>
  );
}

/** The organization's assets by name. */
function AssetLine({ control }: { control: Control<z.infer<typeof holdSchema>> }) {
  const { id } = useOrganization();
  const { data, isPending } = useQuery(things.list(id));
  const options = useMemo(
    () =>
      (data ?? [])
        .filter(one => one.organization.id === id)
        .map(one => ({ id: one.id, label: one.nickname || one.haas_id }))
        .sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true })),
    [data, id],
  );
  const placeholder = isPending ? 'Loading…' : 'Choose an asset';
  return <SelectLine control={control} name="thing_id" label="Asset" options={options} placeholder={placeholder} />;
}
