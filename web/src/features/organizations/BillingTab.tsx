import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ManagerPlace } from '~/model/manager';
import { addressFact, Back, ListPage, RowPage, To, textColumn } from '~/office';
import { hasSupportMail, useBrand, useCan } from '~/session';
import { Card, Cards, type Column, DescriptionList, EmptyState, factsOf, Mono, Notice, PageHead } from '~/ui';
import { contactLines } from './organization';
import { contactColumn, RelationPill } from './parts';
import { type Billed, billingQuery } from './queries';

/** The Billing tab: the organizations that are billed, and how each of them is. Invoices are not kept here. */
export default function BillingTab({ view, target }: ManagerPlace) {
  const query = useQuery(billingQuery);
  if (view === 'list')
    return (
      <ListPage
        title="Billing"
        sentence="Your organization, the ones you manage, and their billing contacts."
        query={query}
        operation="organization.load"
        columns={columns}
        noun={['organization', 'organizations']}
      />
    );
  const back = <Back tab="billing">Billing</Back>;
  return (
    <RowPage query={query} back={back} title="Billing" operation="organization.load">
      {rows => {
        const row = rows.find(one => one.id === target);
        if (row) return <Details row={row} isForm={view === 'form'} back={back} />;
        return (
          <>
            <PageHead back={back} title="Billing" />
            <EmptyState title="Billing is available for your own organization and those you manage." />
          </>
        );
      }}
    </RowPage>
  );
}

const columns: readonly Column<Billed>[] = [
  textColumn('Organization', row => row.name, {
    width: '34%',
    cell: row => (
      <To tab="billing" id={row.id}>
        {row.name}
      </To>
    ),
  }),
  textColumn('Relationship', row => row.relation, { cell: row => <RelationPill row={row} /> }),
  { id: 'id', title: 'Billing ID', cell: row => <Mono>{row.billing_id}</Mono> },
  contactColumn(row => row.email),
];

/** What is known of an organization's billing; none of it is edited here, so a form shows the same. */
function Details({ row, isForm, back }: { row: Billed; isForm: boolean; back: ReactNode }) {
  const mayEdit = useCan('EDIT_ORGANIZATION');
  const brand = useBrand();
  const { supportEmail } = brand;
  const { cell_phone_number: _, ...lines } = contactLines;
  return (
    <>
      <PageHead back={back} title={row.name} sentence={`How ${row.name} is billed.`} />
      <Cards>
        {isForm && <Notice>Billing is read-only here. To change the contact, edit the organization.</Notice>}
        <Card title="Billing ID" hint="Include this ID when you ask about an invoice.">
          <DescriptionList wide rows={[['Billing ID', <Mono key="id">{row.billing_id}</Mono>]]} />
        </Card>
        <Card
          title="Billing contact"
          hint="Invoices go to the organization's contact."
          action={
            mayEdit && (
              <To tab="organization" id={row.id} form button={{ size: 'small' }}>
                Change contact
              </To>
            )
          }
        >
          <DescriptionList rows={[...factsOf(lines, row), addressFact(row)]} />
        </Card>
        <Card title="Questions">
          <p>
            Invoices aren't kept here.
            {hasSupportMail(brand) && (
              <>
                {' '}
                For questions, contact <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
              </>
            )}
          </p>
        </Card>
      </Cards>
    </>
  );
}
