import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { say } from '~/api';
import { countOf } from '~/model/format';
import { addressFact, Back, EditLink, RowPage, useGoTo } from '~/office';
import { useCan, useMay } from '~/session';
import { AskButton, Card, Cards, DescriptionList, factsOf, Mono, PageHead, toast } from '~/ui';
import { Feeds } from './Feeds';
import { contactLines, eventWordingText, lockText, type OrganizationRow, typeName } from './organization';
import { RelationPill } from './parts';
import { organizations, useOrganizationMutations } from './queries';
import { Relations } from './Relations';

/** An organization to read, with what may be done about it. */
export function OrganizationRead({ id }: { id: string }) {
  const back = <Back tab="organization">Organizations</Back>;
  return (
    <RowPage query={useQuery(organizations.one(id))} back={back} title="Organization" operation="organization.load">
      {row => <Body row={row} back={back} />}
    </RowPage>
  );
}

function Body({ row, back }: { row: OrganizationRow; back: ReactNode }) {
  const mayEdit = useMay('EDIT_ORGANIZATION', row);
  const seesFeeds = useMay('VIEW_CLOSURES', row) && row.is_wzdx_org;
  return (
    <>
      <PageHead
        back={back}
        title={
          <>
            {row.name}
            <RelationPill row={row} />
          </>
        }
        sentence={countsText(row)}
        actions={
          <>
            {mayEdit && <EditLink tab="organization" id={row.id} />}
            <DeleteButton row={row} />
          </>
        }
      />
      <Cards two>
        <Card title="Contact">
          <DescriptionList rows={[...factsOf(contactLines, row), addressFact(row)]} />
        </Card>
        <Card title="Settings">
          <DescriptionList
            rows={[
              ['Type', typeName(row)],
              ['Time zone', row.timezone],
              ['What to call events', eventWordingText[row.event_wording]],
              ['Screen lock', lockText(row.lock_screen_ms)],
              ['Two-factor authentication', row.mfa_required ? 'Required' : 'Optional'],
              ['Sign-in', row.sso_only ? 'Single sign-on only' : 'Password or single sign-on'],
              ['ID', <Mono key="id">{row.id}</Mono>],
            ]}
          />
        </Card>
      </Cards>
      <Cards>
        {seesFeeds && <Feeds row={row} />}
        <Relations row={row} mayEdit={mayEdit} />
      </Cards>
    </>
  );
}

const countsText = ({ users_count: users, things_count: things }: OrganizationRow) =>
  [countOf(users, 'user'), ...(things === undefined ? [] : [countOf(things, 'asset')])].join(' · ');

function DeleteButton({ row }: { row: OrganizationRow }) {
  const goTo = useGoTo();
  const mutations = useOrganizationMutations();
  const mayDelete = useCan('DELETE_ORGANIZATION') && row.relation === 'managed';
  if (!mayDelete) return null;
  return (
    <AskButton
      label="Delete"
      button={{ variant: 'danger', icon: <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" /> }}
      title="Are you sure you want to delete this organization?"
      say={error => say('generic', error)}
      run={async () => {
        const gone = await mutations.remove(row.id);
        toast(gone ? say('organization.load', gone) : `${row.name} is deleted`);
        void goTo({ tab: 'organization' });
      }}
    >
      <p>
        <b>{row.name}</b> can be deleted only when it has no users and no assets left.
      </p>
    </AskButton>
  );
}
