import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { say } from '~/api';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { Loaded, useDraft } from '~/office';
import { useWords } from '~/section/words';
import { session, useCan, useOrganization, useProfile } from '~/session';
import { AskButton, Button, Card, ErrorNotice, FormTextField, Pill, SelectLine, Sub, toast } from '~/ui';
import { Offers } from './Offers';
import type { OrganizationRow } from './organization';
import styles from './organizations.module.css';
import { relationsQuery, useOrganizationMutations } from './queries';
import { assetsText, endingText, type Offer, type Partner, partnerText, relationSchema } from './relation';

const TITLE = 'Managers and accessors';

const CHOICES = [
  { id: 'manager', label: 'Manager' },
  { id: 'accessor', label: 'Access' },
] as const;

/** Which organizations manage this one or may see its assets, and who offers what. */
export function Relations({ row, mayEdit }: { row: OrganizationRow; mayEdit: boolean }) {
  return row.relation === 'accessed' ? <Known row={row} /> : <Partners row={row} mayEdit={mayEdit} />;
}

/** What may be known of an organization that is only read, and the way out of it. */
function Known({ row }: { row: OrganizationRow }) {
  const mutations = useOrganizationMutations();
  const own = useProfile().organizations[0];
  const mayLeave = useCan('EDIT_ORGANIZATION');
  const known = [
    ...row.organization_managers.map(one => ({ ...one, type: 'manager' as const })),
    ...row.organization_accessors.map(one => ({ ...one, type: 'accessor' as const })),
  ];
  return (
    <Card title={TITLE}>
      {known.map(one => (
        <Row key={`${one.type} ${one.id}`} name={one.name} word={partnerText[one.type]}>
          {mayLeave && one.id === own.id && (
            <AskButton
              label="Leave"
              button={{ size: 'small' }}
              title={`Leave ${row.name}?`}
              say={sayRelate}
              run={async () => {
                await mutations.relate(row.id, own.id, 'delete');
                await session.reloadProfile();
                toast(`${own.name} no longer sees ${row.name}`);
              }}
            >
              <p>
                Your users no longer see {row.name} and its assets. To come back, its administrators have to ask again.
              </p>
            </AskButton>
          )}
        </Row>
      ))}
    </Card>
  );
}

const sayRelate = (error: unknown) => say('organization.relate', error);

function Partners({ row, mayEdit }: { row: OrganizationRow; mayEdit: boolean }) {
  const query = useQuery(relationsQuery(row.id));
  const events = useWords().events.toLowerCase();
  const received = query.data?.offers.filter(one => one.direction === 'received') ?? [];
  return (
    <>
      {received.length > 0 && <Offers offers={received} mayEdit={mayEdit} />}
      <Card
        title={TITLE}
        hint={
          "A manager's users work here as they do in their own organization. " +
          `An accessor's users can view assets and ${events}, but can't change anything.`
        }
      >
        <Loaded query={query} operation="organization.load" label="Loading managers and accessors">
          {({ partners, offers }) => (
            <>
              {partners.length + offers.length === received.length && (
                <p>No other organization has access to this one.</p>
              )}
              {partners.map(one => (
                <Row
                  key={one.organization_id}
                  name={one.organization_name}
                  word={partnerText[one.relationship_type]}
                  note={noteOf(one)}
                >
                  {mayEdit && <EndRelation row={row} partner={one} />}
                </Row>
              ))}
              {offers.map(
                one => one.direction === 'made' && <Waiting key={one.id} offer={one} row={row} mayEdit={mayEdit} />,
              )}
              {mayEdit && <AddRelation row={row} />}
            </>
          )}
        </Loaded>
      </Card>
    </>
  );
}

const noteOf = ({ relationship_type: type, assets_count: assets }: Partner): string | undefined => {
  if (assets === 0) return undefined;
  return type === 'none' ? assetsText(assets) : `${assetsText(assets)} also shared individually`;
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
function Waiting({ offer, row, mayEdit }: { offer: Offer; row: OrganizationRow; mayEdit: boolean }) {
  const mutations = useOrganizationMutations();
  const { timezone } = useOrganization();
  const [isPending, setPending] = useState(false);
  const { organization_name: name, organization_id: id, relationship_type: type } = offer;
  const until = dateText(instantOf(offer.expires_at), timezone, DATE_PATTERNS.monthFirst);
  const failed = (error: unknown) => toast(say('organization.offer', error), { tone: 'danger' });
  const withdraw = async () => {
    setPending(true);
    try {
      const gone = await mutations.endOffer(offer.id);
      if (gone) return void toast(say('organization.offer', gone));
      const undo = () => void mutations.relate(row.id, id, type).catch(failed);
      toast('Offer withdrawn', { action: { label: 'Undo', onPress: undo } });
    } catch (error) {
      failed(error);
      setPending(false);
    }
  };
  return (
    <Row
      name={name || <span className="mono">{id}</span>}
      word="WAITING"
      tone="warn"
      note={`Invited as ${type === 'manager' ? 'manager' : 'accessor'}. Waiting for their administrator until ${until}.`}
    >
      {mayEdit && (
        <Button
          size="small"
          aria-label={`Withdraw the offer to ${name || id}`}
          isPending={isPending}
          onPress={() => void withdraw()}
        >
          Withdraw
        </Button>
      )}
    </Row>
  );
}

function EndRelation({ row, partner }: { row: OrganizationRow; partner: Partner }) {
  const mutations = useOrganizationMutations();
  const name = partner.organization_name;
  return (
    <AskButton
      label="Remove"
      button={{ size: 'small', 'aria-label': `Remove ${name}` }}
      title={`Remove ${name}?`}
      say={sayRelate}
      run={async () => {
        const { assets_count } = await mutations.relate(row.id, partner.organization_id, 'delete');
        const assets = assets_count > 0 ? ` or ${assetsText(assets_count)} shared individually` : '';
        toast(`${name} can no longer see ${row.name}${assets}`);
      }}
    >
      <div className={styles.sentences}>
        <p>{endingText(partner, row.name)}</p>
        {partner.relationship_type !== 'none' && (
          <p>To let {name} in again, its administrators have to accept again.</p>
        )}
      </div>
    </AskButton>
  );
}

/** Lets another organization in, by its exact id; one out of reach is asked. */
function AddRelation({ row }: { row: OrganizationRow }) {
  const mutations = useOrganizationMutations();
  const draft = useDraft({
    schema: relationSchema,
    begun: { organization_id: '', relationship_type: 'accessor' as const },
    send: async (_, __, { organization_id, relationship_type }) => {
      const { state } = await mutations.relate(row.id, organization_id, relationship_type);
      toast(state === 'offered' ? 'Offer sent to their administrators' : 'Saved');
      draft.form.resetField('organization_id');
    },
    say: 'organization.relate',
  });
  const { control } = draft;
  return (
    <form onSubmit={draft.submit} noValidate aria-label="Add a manager or accessor">
      <div className={styles.relationForm}>
        <FormTextField
          control={control}
          name="organization_id"
          label="Organization ID"
          hint="They can copy it from their organization page. Their administrators have 30 days to accept."
          autoComplete="off"
        />
        <SelectLine control={control} name="relationship_type" label="As" options={CHOICES} />
        <Button type="submit" isPending={draft.isPending}>
          Add
        </Button>
      </div>
      {draft.failure && <ErrorNotice>{draft.failure}</ErrorNotice>}
    </form>
  );
}
