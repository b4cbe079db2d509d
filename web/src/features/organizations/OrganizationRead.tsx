import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { say } from '~/api';
import { addressLines } from '~/model/address';
import { managerPath } from '~/model/manager';
import { useCan } from '~/session';
import { Button, buttonClass, Card, Cards, ConfirmAction, Facts, OfficeSheet, PageHead, Pill, toast } from '~/ui';
import { eventWordingText, lockText, type OrganizationRecord, relationText } from './organization';
import { OrganizationBones, OrganizationFailed, ToOrganizations } from './parts';
import { organizationQuery, useOrganizationVerbs } from './queries';
import { Relations } from './Relations';

/** An organization to read, with what may be done about it. */
export function OrganizationRead({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(organizationQuery(id));
  return (
    <OfficeSheet narrow>
      {data ? (
        <Body record={data} />
      ) : error ? (
        <OrganizationFailed error={error} onRetry={() => void refetch()} />
      ) : (
        <OrganizationBones />
      )}
    </OfficeSheet>
  );
}

function Body({ record }: { record: OrganizationRecord }) {
  const mayEdit = useCan('EDIT_ORGANIZATION') && record.relation !== 'accessed';
  const lines = addressLines(record);
  return (
    <>
      <PageHead
        back={<ToOrganizations />}
        title={
          <>
            {record.name}
            <Pill tone={record.relation === 'own' ? 'accent' : 'neutral'}>{relationText[record.relation]}</Pill>
          </>
        }
        sentence={countsText(record)}
        actions={
          <>
            {mayEdit && (
              <Link
                to={managerPath('organization', { view: 'form', target: record.id }) as '/'}
                className={buttonClass({ variant: 'primary' })}
              >
                <Pencil size={16} strokeWidth={1.75} aria-hidden="true" />
                Edit
              </Link>
            )}
            <DeleteButton record={record} />
          </>
        }
      />
      <Cards two>
        <Card title="Contact">
          <Facts
            rows={[
              ['Contact', record.contactName],
              ['Email', record.email],
              ['Phone', record.phone],
              ['Cell phone', record.cellPhone],
              ['Address', lines.length > 0 && lines.map(line => <div key={line}>{line}</div>)],
            ]}
          />
        </Card>
        <Card title="Settings">
          <Facts
            rows={[
              ['Type', record.typeName],
              ['Time zone', record.timezone],
              ['What to call events', eventWordingText[record.eventWording]],
              ['Screen lock', lockText(record.lockScreenMs)],
              ['Two-factor authentication', record.mfaRequired ? 'Required' : 'Optional'],
              ['Sign-in', record.ssoOnly ? 'Single sign-on only' : 'Password or single sign-on'],
              [
                'ID',
                <span key="id" className="mono">
                  {record.id}
                </span>,
              ],
            ]}
          />
        </Card>
      </Cards>
      <Cards>
        <Relations record={record} mayEdit={mayEdit} />
      </Cards>
    </>
  );
}

function countsText({ usersCount, thingsCount }: OrganizationRecord): string | undefined {
  const parts = [
    usersCount === undefined ? '' : `${usersCount} ${usersCount === 1 ? 'user' : 'users'}`,
    thingsCount === undefined ? '' : `${thingsCount} ${thingsCount === 1 ? 'asset' : 'assets'}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : undefined;
}

function DeleteButton({ record }: { record: OrganizationRecord }) {
  const navigate = useNavigate();
  const verbs = useOrganizationVerbs();
  const [asks, setAsks] = useState(false);
  const mayDelete = useCan('DELETE_ORGANIZATION') && record.relation === 'managed';
  if (!mayDelete) return null;
  return (
    <>
      <Button
        variant="danger"
        icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />}
        onPress={() => setAsks(true)}
      >
        Delete
      </Button>
      {asks && (
        <ConfirmAction
          title="Are you sure you want to delete this organization?"
          say={error => say('generic', error)}
          onClose={() => setAsks(false)}
          run={async () => {
            const gone = await verbs.remove(record.id);
            toast(gone ? say('organization.load', gone) : `${record.name} is deleted`);
            void navigate({ href: managerPath('organization') });
          }}
        >
          <p>
            <b>{record.name}</b> can be deleted only when it has no users and no assets left.
          </p>
        </ConfirmAction>
      )}
    </>
  );
}
