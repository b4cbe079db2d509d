import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { timeZones } from '~/model/localTime';
import { Back, Cancel, EditForm, Permitted, RowPage, sayMarked, useDraft, useGoTo } from '~/office';
import { toastBack } from '~/section/undo';
import { useMay, useOrganization } from '~/session';
import {
  FormRow,
  FormSection,
  FormTextField,
  Notice,
  OfficePage,
  PageHead,
  SelectLine,
  SwitchLine,
  toast,
  useWords,
} from '~/ui';
import {
  blank,
  bodyOf,
  bringsText,
  columnLines,
  formatOptions,
  hasColumns,
  isHiding,
  readSubscription,
  type Subscription,
  type SubscriptionForm,
  subscriptionSchema,
  subscriptions,
  TAB,
  useSubscriptionMutations,
} from './subscription';
import styles from './subscriptions.module.css';
import { TypeLines } from './TypeLines';

/** Adds a feed of others. */
export function SubscriptionAdd() {
  return (
    <OfficePage narrow>
      <PageHead
        back={<Back tab={TAB}>Incoming feeds</Back>}
        title="Add feed"
        sentence="The feed is fetched every minute. Its closures and hazards show on the map. They can't be edited here."
      />
      <Permitted may={useMay('EDIT_ORGANIZATION')}>
        <AddForm />
      </Permitted>
    </OfficePage>
  );
}

function AddForm() {
  const { id: organization_id } = useOrganization();
  const goTo = useGoTo();
  const mutations = useSubscriptionMutations();
  const draft = useDraft({
    schema: subscriptionSchema,
    begun: blank,
    send: async (changes, _, { name, format, url }) => {
      const made = await mutations.create({ ...bodyOf(changes), organization_id, name, format, url });
      toast(`“${made.name}” is added`);
      await goTo({ tab: TAB, id: made.id });
    },
    say: sayMarked('generic'),
  });
  return (
    <EditForm label="Add feed" submit="Add feed" draft={draft} cancel={<Cancel tab={TAB} />}>
      <Fields control={draft.control} />
    </EditForm>
  );
}

/** Edits a feed of others. */
export function SubscriptionEdit({ id }: { id: string }) {
  const back = (
    <Back tab={TAB} id={id}>
      Incoming feed
    </Back>
  );
  const mayEdit = useMay('EDIT_ORGANIZATION');
  return (
    <RowPage query={useQuery(subscriptions.one(id))} back={back} title="Incoming feed" missing="Feed not found" edits>
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

function Edit({ row }: { row: Subscription }) {
  const goTo = useGoTo();
  const mutations = useSubscriptionMutations();
  const page = { tab: TAB, id: row.id };
  const draft = useDraft({
    schema: subscriptionSchema,
    begun: row,
    read: readSubscription,
    send: async (changes, base) => {
      const saved = await mutations.save(base, bodyOf(changes));
      if (saved.version !== base.version) toastBack('Feed saved', () => mutations.undo(saved));
      else toast('Feed saved');
      await goTo(page);
    },
    say: sayMarked('generic'),
    noun: 'feed',
  });
  return (
    <EditForm label="Edit feed" draft={draft} cancel={<Cancel {...page} />}>
      <Fields control={draft.control} row={row} />
    </EditForm>
  );
}

interface PartProps {
  control: Control<SubscriptionForm>;
}

function Fields({ control, row }: PartProps & { row?: Subscription }) {
  const format = useWatch({ control, name: 'format' }) as Subscription['format'];
  const isActive = useWatch({ control, name: 'is_active' });
  const hides = row !== undefined && isHiding(row.url);
  return (
    <>
      <FormSection title="Feed" hint="The name shows as the source of its closures and hazards.">
        <FormTextField control={control} name="name" label="Name" isRequired autoFocus={row === undefined} />
        <SelectLine control={control} name="format" label="Format" options={formatOptions} />
        <p className={styles.hint}>{bringsText[format]}</p>
      </FormSection>
      <FormSection
        title="Address"
        hint="A user name, password, or key in the address is encrypted and never shown again."
      >
        <FormTextField
          control={control}
          name="url"
          label="Address"
          isRequired
          isMono
          autoComplete="off"
          hint={
            hides
              ? '*** hides a saved password or key. To keep it, leave the address as is. To change it, enter the whole address.'
              : 'Such as https://example.org/wzdx.geojson, or https://user:password@example.org/feed?key=…'
          }
        />
      </FormSection>
      {hasColumns(format) && <Columns control={control} format={format} />}
      <FormSection title="Fetching">
        <SwitchLine
          control={control}
          name="is_active"
          label="Fetch this feed"
          hint="If you turn this off, the feed is paused and its closures and hazards end."
        />
        {row?.is_active && !isActive && (
          <div role="status">
            <Notice tone="warn">When you save, its closures and hazards end for everyone immediately.</Notice>
          </div>
        )}
      </FormSection>
    </>
  );
}

const columnsText = (value: unknown) =>
  columnLines
    .flatMap(({ id, label }) => {
      const said = (value as SubscriptionForm['columns'])[id];
      return said ? [`${label}: ${said}`] : [];
    })
    .join(', ');

/** How a table, or the points of GeoJSON, are read. */
function Columns({ control, format }: PartProps & { format: string }) {
  const zones = useMemo(() => timeZones('').map(id => ({ id, label: id })), []);
  const isTable = format === 'csv';
  useWords('columns', isTable ? 'Columns' : 'Properties', columnsText);
  const lines = columnLines.filter(({ isOfTable }) => isTable || !isOfTable);
  const pairs = lines.filter((_, index) => index % 2 === 0).map((line, row) => [line, lines[2 * row + 1]] as const);
  const field = ({ id, label }: (typeof columnLines)[number]) => (
    <FormTextField key={id} control={control} name={`columns.${id}`} label={label} />
  );
  return (
    <>
      <FormSection
        title={isTable ? 'Columns' : 'Properties of points'}
        hint={`The feed's name for each. Leave empty if the name is the same as here: ${lines.map(({ id }) => id).join(', ')}.`}
      >
        {pairs.map(([one, next]) => (next ? <FormRow key={one.id}>{[field(one), field(next)]}</FormRow> : field(one)))}
      </FormSection>
      <FormSection title="Types" hint="Match the feed's types to types here. Any others become Other.">
        <TypeLines control={control} />
      </FormSection>
      <FormSection title="Times" hint="Used when a time has no UTC offset.">
        <FormRow>
          <SelectLine
            control={control}
            name="timezone"
            label="Time zone"
            options={zones}
            none="Organization time zone"
          />
          <FormTextField
            control={control}
            name="time_format"
            label="Time format"
            hint="Leave empty for ISO 8601. Or: unix, unix_ms, yyyy/MM/dd hh:mm:ss a"
          />
        </FormRow>
      </FormSection>
    </>
  );
}
