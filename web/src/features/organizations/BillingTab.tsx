import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { say } from '~/api';
import { addressLines } from '~/model/address';
import { NONE } from '~/model/format';
import { type ManagerPlace, managerPath } from '~/model/manager';
import { useBrand, useCan } from '~/session';
import {
  BackIcon,
  Bone,
  backLinkClass,
  buttonClass,
  Card,
  Cards,
  type Column,
  EmptyState,
  ErrorNotice,
  Facts,
  Notice,
  OfficeSheet,
  PageHead,
  Pill,
  Skeleton,
  Sub,
  Table,
} from '~/ui';
import { type OrganizationRecord, relationText } from './organization';
import { billingQuery } from './queries';

/** The Billing tab: the organizations that are billed, and how each of them is. Invoices are not kept here. */
export default function BillingTab({ view, target }: ManagerPlace) {
  const { data, error, refetch } = useQuery(billingQuery);
  if (view === 'list') return <List rows={data} error={error} onRetry={() => void refetch()} />;
  const record = data?.find(one => one.id === target);
  return (
    <OfficeSheet narrow>
      <PageHead
        back={<ToBilling />}
        title={record?.name ?? 'Billing'}
        {...(record ? { sentence: `How ${record.name} is billed.` } : {})}
      />
      {record && <Details record={record} isForm={view === 'form'} />}
      {data && !record && <EmptyState title="Billing is available for your own organization and those you manage." />}
      {!data && error && <ErrorNotice onRetry={() => void refetch()}>{say('organization.load', error)}</ErrorNotice>}
      {!data && !error && (
        <Skeleton label="Loading billing">
          <Bone height={160} />
        </Skeleton>
      )}
    </OfficeSheet>
  );
}

const ToBilling = () => (
  <Link to={managerPath('billing') as '/'} className={backLinkClass}>
    <BackIcon />
    Billing
  </Link>
);

interface ListProps {
  rows: readonly OrganizationRecord[] | undefined;
  error: unknown;
  onRetry: () => void;
}

function List({ rows, error, onRetry }: ListProps) {
  return (
    <OfficeSheet>
      <PageHead title="Billing" sentence="Your organization, the ones you manage, and their billing contacts." />
      <Table
        label="Billing"
        columns={columns}
        rows={rows}
        rowKey={row => row.id}
        error={error && !rows ? say('organization.load', error) : undefined}
        onRetry={onRetry}
        empty={<EmptyState title="No results found." />}
      />
    </OfficeSheet>
  );
}

const columns: readonly Column<OrganizationRecord>[] = [
  {
    id: 'name',
    title: 'Organization',
    width: '34%',
    sortBy: row => row.name,
    cell: row => <Link to={managerPath('billing', { view: 'formRead', target: row.id }) as '/'}>{row.name}</Link>,
  },
  {
    id: 'relation',
    title: 'Relationship',
    sortBy: row => row.relation,
    cell: row => <Pill tone={row.relation === 'own' ? 'accent' : 'neutral'}>{relationText[row.relation]}</Pill>,
  },
  { id: 'id', title: 'Billing ID', cell: row => <span className="mono">{row.billingId || NONE}</span> },
  {
    id: 'contact',
    title: 'Contact',
    sortBy: row => row.contactName,
    cell: row => (
      <div>
        {row.contactName || NONE}
        {row.email && <Sub>{row.email}</Sub>}
      </div>
    ),
  },
];

/** What is known of an organization's billing; none of it is edited here, so a form shows the same. */
function Details({ record, isForm }: { record: OrganizationRecord; isForm: boolean }) {
  const mayEdit = useCan('EDIT_ORGANIZATION');
  const brand = useBrand();
  const lines = addressLines(record);
  return (
    <Cards>
      {isForm && <Notice>Billing is read-only here. To change the contact, edit the organization.</Notice>}
      <Card title="Billing ID" hint="Include this ID when you ask about an invoice.">
        <Facts wide rows={[['Billing ID', record.billingId && <span className="mono">{record.billingId}</span>]]} />
      </Card>
      <Card
        title="Billing contact"
        hint="Invoices go to the organization's contact."
        action={
          mayEdit && (
            <Link
              to={managerPath('organization', { view: 'form', target: record.id }) as '/'}
              className={buttonClass({ size: 'small' })}
            >
              Change contact
            </Link>
          )
        }
      >
        <Facts
          rows={[
            ['Contact', record.contactName],
            ['Email', record.email],
            ['Phone', record.phone],
            ['Address', lines.length > 0 && lines.map(line => <div key={line}>{line}</div>)],
          ]}
        />
      </Card>
      <Card title="Questions">
        <p>
          Invoices aren't kept here. For questions, contact{' '}
          <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
        </p>
      </Card>
    </Cards>
  );
}
