import { useMemo, useState } from 'react';
import type { Thing } from '~/model/thing';
import { EditForm, useDraft } from '~/office';
import styles from '~/section/form.module.css';
import { formLook } from '~/section/formLook';
import type { Now } from '~/section/shown';
import { useCan, useOrganization, useProfile } from '~/session';
import { Button, EmptyState, SelectLine, toast } from '~/ui';
import { type AccessChoice, accessLines, accessSchema, mayEditAccess, mayEditThing, ownerOf } from './access';
import { EditScreen } from './EditScreen';
import { saveAccess } from './queries';

const CHOICES: readonly { id: AccessChoice; label: string }[] = [
  { id: 'manager', label: 'Manager' },
  { id: 'accessor', label: 'Accessor' },
  { id: 'delete', label: 'No access' },
];

/** Which organizations manage or access an asset. */
export function AccessEditScreen({ id }: { id: string }) {
  return (
    <EditScreen id={id} label="Edit Organization Access">
      {(thing, now, onDone) => <AccessForm thing={thing} now={now} onDone={onDone} />}
    </EditScreen>
  );
}

function AccessForm({ thing, now, onDone }: { thing: Thing; now: Now<Thing>; onDone: () => void }) {
  const organization = useOrganization();
  const profile = useProfile();
  const mayEdit = mayEditThing(thing, organization, useCan('EDIT_THING'));
  const owner = ownerOf(thing, profile.organizations, organization);
  const [lines] = useState(() => accessLines(thing, owner));
  const draft = useDraft({
    schema: useMemo(() => accessSchema(lines), [lines]),
    begun: Object.fromEntries(lines.map(line => [line.organizationId, line.choice])),
    send: async changes => {
      const edits = Object.entries(changes).map(([organization_uuid, relationship_type]) => ({
        organization_uuid,
        relationship_type: relationship_type as AccessChoice,
      }));
      if (edits.length > 0) await saveAccess(thing.id, edits);
      toast('Organization access saved');
      onDone();
    },
    say: 'thing.associations',
    noun: 'asset',
    now: now === null ? null : undefined,
  });
  if (!mayEditAccess(thing, owner, mayEdit)) {
    return (
      <EmptyState
        title="You can't edit this asset's organization access."
        action={<Button onPress={onDone}>Back</Button>}
      >
        There's no organization to share with, or you have view-only access.
      </EmptyState>
    );
  }
  return (
    <EditForm label="Organization Access" draft={draft} cancel={onDone} look={formLook}>
      <p className={styles.lead}>
        Owned by <b>{thing.organization.name}</b>. Managers can edit the asset; accessors can view it.
      </p>
      {lines.map(({ organizationId, name }) => (
        <div key={organizationId} className={styles.accessLine}>
          <span>{name}</span>
          <SelectLine
            control={draft.control}
            name={organizationId}
            label={`Access of ${name}`}
            hideLabel
            options={CHOICES}
          />
        </div>
      ))}
    </EditForm>
  );
}
