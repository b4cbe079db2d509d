import { type FormEvent, useState } from 'react';
import { say } from '~/api';
import { Button, Card, ConfirmAction, ErrorNotice, Pill, Select, TextField, toast } from '~/ui';
import { isUuid } from './form';
import type { OrganizationRecord } from './organization';
import styles from './organizations.module.css';
import { type RelationshipType, useOrganizationVerbs } from './queries';

interface Related {
  id: string;
  name: string;
  type: 'manager' | 'accessor';
}

const WORDS = { manager: 'MANAGER', accessor: 'ACCESS' } as const;

const CHOICES = [
  { id: 'manager', label: 'Manager' },
  { id: 'accessor', label: 'Access' },
] as const;

/** Which organizations manage this one or may see its assets. */
export function Relations({ record, mayEdit }: { record: OrganizationRecord; mayEdit: boolean }) {
  const verbs = useOrganizationVerbs();
  const [leaving, setLeaving] = useState<Related>();
  const related: Related[] = [
    ...record.managers.map(one => ({ ...one, type: 'manager' as const })),
    ...record.accessors.map(one => ({ ...one, type: 'accessor' as const })),
  ];
  return (
    <Card
      title="Managers and accessors"
      hint="A manager's users work here as in their own organization. An accessor's users see the assets, nothing else."
    >
      {related.length === 0 && <p>No other organization manages or sees this one.</p>}
      {related.map(one => (
        <div key={`${one.type} ${one.id}`} className={styles.relation}>
          <span>{one.name}</span>
          <Pill tone="accent">{WORDS[one.type]}</Pill>
          {mayEdit && (
            <Button size="small" aria-label={`Remove ${one.name}`} onPress={() => setLeaving(one)}>
              Remove
            </Button>
          )}
        </div>
      ))}
      {mayEdit && <AddRelation record={record} />}
      {leaving && (
        <ConfirmAction
          title={`Remove ${leaving.name}?`}
          say={error => say('organization.update', error)}
          onClose={() => setLeaving(undefined)}
          run={async () => {
            await verbs.relate(record.id, leaving.id, 'delete');
            const undo = () => {
              void verbs.relate(record.id, leaving.id, leaving.type).catch(error => {
                toast(say('organization.update', error), { tone: 'danger' });
              });
            };
            toast(`${leaving.name} no longer reaches ${record.name}`, { action: { label: 'Undo', onPress: undo } });
          }}
        >
          <p>
            Its users no longer see {record.name} and its assets. What it was given for single assets stays with those.
          </p>
        </ConfirmAction>
      )}
    </Card>
  );
}

/** Lets another organization in, by its exact id. */
function AddRelation({ record }: { record: OrganizationRecord }) {
  const verbs = useOrganizationVerbs();
  const [id, setId] = useState('');
  const [type, setType] = useState<RelationshipType>('accessor');
  const [wrong, setWrong] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const organizationId = id.trim().toLowerCase();
    setFailure(undefined);
    setWrong(isUuid(organizationId) ? undefined : 'An organization id is needed');
    if (!isUuid(organizationId)) return;
    setPending(true);
    try {
      await verbs.relate(record.id, organizationId, type);
      toast('Saved');
      setId('');
    } catch (error) {
      setFailure(say('organization.update', error));
    } finally {
      setPending(false);
    }
  };
  return (
    <form onSubmit={event => void submit(event)} noValidate aria-label="Add a manager or accessor">
      <div className={styles.relationForm}>
        <TextField
          label="Organization id"
          hint="The other organization reads it on its own page."
          value={id}
          onChange={setId}
          error={wrong}
          autoComplete="off"
        />
        <Select label="As" options={CHOICES} value={type} onChange={chosen => setType(chosen as RelationshipType)} />
        <Button type="submit" isPending={isPending}>
          Add
        </Button>
      </div>
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
    </form>
  );
}
