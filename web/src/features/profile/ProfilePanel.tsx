import permissions from '@catalog/permissions.json';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { NONE } from '~/model/format';
import { addressFact, Loaded, type Place, To } from '~/office';
import { useCan, useProfile } from '~/session';
import { Button, Card, Cards, DescriptionList } from '~/ui';
import { FactorCard } from './FactorCard';
import { MailsCard } from './MailsCard';
import { PasswordCard } from './PasswordCard';
import { PreferencesCard } from './PreferencesCard';
import { ProfileEdit } from './ProfileEdit';
import { personQuery } from './queries';
import { SessionsCard } from './SessionsCard';

/** The parts of a profile; each has its place in the page. */
export const parts: readonly string[] = ['profile', 'preferences', 'mails', 'password', 'second-factor', 'sessions'];

/** The profile in full: person, preferences, password, second factor, sessions. Without `edits` it is edited in place. */
export function ProfilePanel({ edits }: { edits?: Place }) {
  const [isEditing, setEditing] = useState(false);
  const mayBeAsked = useCan('EDIT_CLOSURE_ANYWHERE');
  if (isEditing) return <ProfileEdit onDone={() => setEditing(false)} />;
  const look = { children: 'Edit', 'aria-label': 'Edit profile' };
  return (
    <Cards>
      <div id="profile">
        <PersonCard>
          {edits ? (
            <To {...edits} {...look} button={{ size: 'small' }} />
          ) : (
            <Button {...look} size="small" onPress={() => setEditing(true)} />
          )}
        </PersonCard>
      </div>
      <div id="preferences">
        <PreferencesCard />
      </div>
      {mayBeAsked && (
        <div id="mails">
          <MailsCard />
        </div>
      )}
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

/** Who one is; the children lead to the form. */
function PersonCard({ children }: { children: ReactNode }) {
  const query = useQuery(personQuery);
  const { organizations } = useProfile();
  const mayEdit = useCan('EDIT_USER');
  return (
    <Card title="Profile" action={mayEdit && query.data && children}>
      <Loaded query={query} operation="profile.update" label="Loading profile" height={120}>
        {person => (
          <DescriptionList
            wide
            rows={[
              ['Name', `${person.firstname} ${person.lastname}`.trim()],
              ['Email', person.email],
              ['Phone', person.phone],
              addressFact(person),
              ['Role', permissions.roles.find(role => role.id === person.role_id)?.label ?? NONE],
              ['Organization', organizations[0].name],
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
