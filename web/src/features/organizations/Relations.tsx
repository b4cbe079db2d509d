import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { say } from '~/api';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { session, useCan, useOrganization, useProfile } from '~/session';
import { Bone, Button, Card, ConfirmAction, ErrorNotice, Pill, Select, Skeleton, Sub, TextField, toast } from '~/ui';
import { isUuid } from './form';
import { Offers } from './Offers';
import type { OrganizationRecord } from './organization';
import styles from './organizations.module.css';
import { type RelationshipType, relationsQuery, useOrganizationVerbs } from './queries';
import { assetsText, endingText, type Offer, type Partner, partnerText } from './relation';

const TITLE = 'Managers and accessors';

const CHOICES = [
  { id: 'manager', label: 'Manager' },
  { id: 'accessor', label: 'Access' },
] as const;

/** Which organizations manage this one or may see its assets, and who offers what. */
export function Relations({ record, mayEdit }: { record: OrganizationRecord; mayEdit: boolean }) {
  return record.relation === 'accessed' ? <Known record={record} /> : <Partners record={record} mayEdit={mayEdit} />;
}

/** What may be known of an organization that is only read, and the way out of it. */
function Known({ record }: { record: OrganizationRecord }) {
  const verbs = useOrganizationVerbs();
  const own = useProfile().organizations[0];
  const mayLeave = useCan('EDIT_ORGANIZATION');
  const [leaves, setLeaves] = useState(false);
  const known = [
    ...record.managers.map(one => ({ ...one, type: 'manager' as const })),
    ...record.accessors.map(one => ({ ...one, type: 'accessor' as const })),
  ];
  return (
    <Card title={TITLE}>
      {known.map(one => (
        <Row key={`${one.type} ${one.id}`} name={one.name} word={partnerText[one.type]}>
          {mayLeave && one.id === own.id && (
            <Button size="small" onPress={() => setLeaves(true)}>
              Leave
            </Button>
          )}
        </Row>
      ))}
      {leaves && (
        <ConfirmAction
          title={`Leave ${record.name}?`}
          say={error => say('organization.relate', error)}
          onClose={() => setLeaves(false)}
          run={async () => {
            await verbs.relate(record.id, own.id, 'delete');
            await session.reloadProfile();
            toast(`${own.name} no longer sees ${record.name}`);
          }}
        >
          <p>
            Your users no longer see {record.name} and its assets. To come back, its administrators have to ask again.
          </p>
        </ConfirmAction>
      )}
    </Card>
  );
}

function Partners({ record, mayEdit }: { record: OrganizationRecord; mayEdit: boolean }) {
  const { data, error, refetch } = useQuery(relationsQuery(record.id));
  const [leaving, setLeaving] = useState<Partner>();
  return (
    <>
      {data && data.received.length > 0 && <Offers offers={data.received} mayEdit={mayEdit} />}
      <Card
        title={TITLE}
        hint="A manager's users work here as they do in their own organization. An accessor's users can view assets and incidents, but can't change anything."
      >
        {data && data.partners.length + data.made.length === 0 && <p>No other organization has access to this one.</p>}
        {data?.partners.map(one => (
          <Row key={one.id} name={one.name} word={partnerText[one.type]} note={noteOf(one)}>
            {mayEdit && (
              <Button size="small" aria-label={`Remove ${one.name}`} onPress={() => setLeaving(one)}>
                Remove
              </Button>
            )}
          </Row>
        ))}
        {data?.made.map(one => (
          <Waiting key={one.id} offer={one} record={record} mayEdit={mayEdit} />
        ))}
        {!data && error && <ErrorNotice onRetry={() => void refetch()}>{say('organization.load', error)}</ErrorNotice>}
        {!data && !error && (
          <Skeleton label="Loading managers and accessors">
            <Bone height={44} />
          </Skeleton>
        )}
        {data && mayEdit && <AddRelation record={record} />}
        {leaving && <EndRelation record={record} partner={leaving} onClose={() => setLeaving(undefined)} />}
      </Card>
    </>
  );
}

const noteOf = ({ type, assetsCount }: Partner): string | undefined => {
  if (assetsCount === 0) return undefined;
  return type === 'none' ? assetsText(assetsCount) : `${assetsText(assetsCount)} also shared individually`;
};

interface RowProps {
  name: ReactNode;
  word: string;
  tone?: 'accent' | 'warn';
  note?: string | undefined;
  children?: ReactNode;
}

/** An organization, what it is here, and what can be done about it. */
function Row({ name, word, tone = 'accent', note, children }: RowProps) {
  return (
    <div className={styles.relation}>
      <div className={styles.who}>
        {name}
        {note && <Sub>{note}</Sub>}
      </div>
      <Pill tone={tone}>{word}</Pill>
      {children}
    </div>
  );
}

/** An offer that the other organization has not answered. */
function Waiting({ offer, record, mayEdit }: { offer: Offer; record: OrganizationRecord; mayEdit: boolean }) {
  const verbs = useOrganizationVerbs();
  const { timezone } = useOrganization();
  const [isPending, setPending] = useState(false);
  const who = offer.name || offer.organizationId;
  const until = dateText(offer.expiresAt, timezone, DATE_PATTERNS.monthFirst);
  const failed = (error: unknown) => toast(say('organization.offer', error), { tone: 'danger' });
  const withdraw = async () => {
    setPending(true);
    try {
      const gone = await verbs.endOffer(offer.id);
      if (gone) return void toast(say('organization.offer', gone));
      const undo = () => void verbs.relate(record.id, offer.organizationId, offer.type).catch(failed);
      toast('Offer withdrawn', { action: { label: 'Undo', onPress: undo } });
    } catch (error) {
      failed(error);
      setPending(false);
    }
  };
  return (
    <Row
      name={offer.name || <span className="mono">{offer.organizationId}</span>}
      word="WAITING"
      tone="warn"
      note={`Invited as ${offer.type === 'manager' ? 'manager' : 'accessor'}. Waiting for their administrator until ${until}.`}
    >
      {mayEdit && (
        <Button
          size="small"
          aria-label={`Withdraw the offer to ${who}`}
          isPending={isPending}
          onPress={() => void withdraw()}
        >
          Withdraw
        </Button>
      )}
    </Row>
  );
}

interface EndProps {
  record: OrganizationRecord;
  partner: Partner;
  onClose: () => void;
}

function EndRelation({ record, partner, onClose }: EndProps) {
  const verbs = useOrganizationVerbs();
  return (
    <ConfirmAction
      title={`Remove ${partner.name}?`}
      say={error => say('organization.relate', error)}
      onClose={onClose}
      run={async () => {
        const { assets_count } = await verbs.relate(record.id, partner.id, 'delete');
        const assets = assets_count > 0 ? ` or ${assetsText(assets_count)} shared individually` : '';
        toast(`${partner.name} can no longer see ${record.name}${assets}`);
      }}
    >
      <div className={styles.sentences}>
        <p>{endingText(partner, record.name)}</p>
        {partner.type !== 'none' && <p>To let {partner.name} in again, its administrators have to accept again.</p>}
      </div>
    </ConfirmAction>
  );
}

/** Lets another organization in, by its exact id; one out of reach is asked. */
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
    setWrong(isUuid(organizationId) ? undefined : 'Enter an organization ID');
    if (!isUuid(organizationId)) return;
    setPending(true);
    try {
      const { state } = await verbs.relate(record.id, organizationId, type);
      toast(state === 'offered' ? 'Offer sent to their administrators' : 'Saved');
      setId('');
    } catch (error) {
      setFailure(say('organization.relate', error));
    } finally {
      setPending(false);
    }
  };
  return (
    <form onSubmit={event => void submit(event)} noValidate aria-label="Add a manager or accessor">
      <div className={styles.relationForm}>
        <TextField
          label="Organization ID"
          hint="They can copy it from their organization page. Their administrators have 30 days to accept."
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
