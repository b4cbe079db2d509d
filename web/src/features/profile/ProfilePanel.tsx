import permissions from '@catalog/permissions.json';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { say } from '~/api';
import { addressLines } from '~/model/address';
import { NONE } from '~/model/format';
import { useCan, useProfile } from '~/session';
import { Bone, Button, buttonClass, Card, Cards, ErrorNotice, Facts, Skeleton } from '~/ui';
import { FactorCard } from './FactorCard';
import { PasswordCard } from './PasswordCard';
import { PreferencesCard } from './PreferencesCard';
import { ProfileEdit } from './ProfileEdit';
import { personQuery } from './queries';
import { SessionsCard } from './SessionsCard';

/** The parts of a profile; each has its place in the page. */
export const parts: readonly string[] = ['profile', 'preferences', 'password', 'second-factor', 'sessions'];

/** The profile in full: person, preferences, password, second factor, sessions. Without `editPath` it edits in place. */
export function ProfilePanel({ editPath }: { editPath?: string }) {
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <ProfileEdit onDone={() => setEditing(false)} />;
  return (
    <Cards>
      <div id="profile">
        <PersonCard {...(editPath ? { editPath } : {})} onEdit={() => setEditing(true)} />
      </div>
      <div id="preferences">
        <PreferencesCard />
      </div>
      <div id="password">
        <PasswordCard />
      </div>
      <div id="second-factor">
        <FactorCard />
      </div>
      <div id="sessions">
        <SessionsCard />
      </div>
    </Cards>
  );
}

function PersonCard({ editPath, onEdit }: { editPath?: string; onEdit: () => void }) {
  const { data, error, refetch } = useQuery(personQuery);
  const { organizations } = useProfile();
  const mayEdit = useCan('EDIT_USER');
  const lines = data ? addressLines(data) : [];
  const edit = editPath ? (
    <Link to={editPath as '/'} className={buttonClass({ size: 'small' })} aria-label="Edit profile">
      Edit
    </Link>
  ) : (
    <Button size="small" onPress={onEdit} aria-label="Edit profile">
      Edit
    </Button>
  );
  return (
    <Card title="Profile" action={mayEdit && data && edit}>
      {data && (
        <Facts
          wide
          rows={[
            ['Name', `${data.firstName} ${data.lastName}`.trim()],
            ['Email', data.email],
            ['Phone', data.phone],
            ['Address', lines.length > 0 && lines.map(line => <div key={line}>{line}</div>)],
            ['Role', permissions.roles.find(role => role.id === data.roleId)?.label ?? NONE],
            ['Organization', organizations[0].name],
          ]}
        />
      )}
      {!data && error && <ErrorNotice onRetry={() => void refetch()}>{say('profile.update', error)}</ErrorNotice>}
      {!data && !error && (
        <Skeleton label="Loading profile">
          <Bone height={120} />
        </Skeleton>
      )}
    </Card>
  );
}
