import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { say } from '~/api';
import { addressLines } from '~/model/address';
import { managerPath } from '~/model/manager';
import { useBrand, useCan, useOrganization } from '~/session';
import { Bone, buttonClass, Card, Cards, EmptyState, ErrorNotice, Facts, OfficeSheet, PageHead, Skeleton } from '~/ui';
import type { OrganizationRecord } from './organization';
import { billingQuery } from './queries';

/** The Billing tab: under which id an organization is billed, and to whom. Invoices are not kept here. */
export default function BillingTab() {
  const organization = useOrganization();
  const { data, error, refetch } = useQuery(billingQuery(organization.id));
  return (
    <OfficeSheet narrow>
      <PageHead title="Billing" sentence={`How ${organization.name} is billed.`} />
      {data && <Details record={data} />}
      {data === null && <EmptyState title="Billing is shown for your own and for managed organizations." />}
      {data === undefined && error && (
        <ErrorNotice onRetry={() => void refetch()}>{say('organization.load', error)}</ErrorNotice>
      )}
      {data === undefined && !error && (
        <Skeleton>
          <Bone height={160} />
        </Skeleton>
      )}
    </OfficeSheet>
  );
}

function Details({ record }: { record: OrganizationRecord }) {
  const mayEdit = useCan('EDIT_ORGANIZATION');
  const brand = useBrand();
  const lines = addressLines(record);
  return (
    <Cards>
      <Card title="Billing id" hint="Name it when you ask about an invoice.">
        <Facts wide rows={[['Billing id', record.billingId && <span className="mono">{record.billingId}</span>]]} />
      </Card>
      <Card
        title="Billing contact"
        hint="Invoices go to the contact of the organization."
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
          Invoices are not kept here. Please write to <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
        </p>
      </Card>
    </Cards>
  );
}
