import { useNavigate } from '@tanstack/react-router';
import { PathLink } from '~/office';
import { session, useOrganization } from '~/session';
import { Button } from '~/ui';
import { LIST_PATH } from './paths';

/** To the list that an export stands in: that of its organization, which is looked at from then on. */
export function ListLink({ organizationId }: { organizationId: string }) {
  const here = useOrganization();
  const navigate = useNavigate();
  const label = 'View all exports';
  if (organizationId === here.id)
    return (
      <PathLink path={LIST_PATH} button={{ variant: 'primary' }}>
        {label}
      </PathLink>
    );
  const go = () => {
    session.switchOrganization(organizationId);
    void navigate({ href: LIST_PATH });
  };
  return (
    <Button variant="primary" onPress={go}>
      {label}
    </Button>
  );
}
