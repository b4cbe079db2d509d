import { Link } from '@tanstack/react-router';
import { asFailure, say } from '~/api';
import { managerPath } from '~/model/manager';
import { BackIcon, Bone, backLinkClass, EmptyState, ErrorNotice, PageHead, Skeleton } from '~/ui';

export const ToOrganizations = () => (
  <Link to={managerPath('organization') as '/'} className={backLinkClass}>
    <BackIcon />
    Organizations
  </Link>
);

/** An organization that cannot be had, and the way back. */
export function OrganizationFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const text = say('organization.load', error);
  return (
    <>
      <PageHead back={<ToOrganizations />} title="Organization" />
      {asFailure(error).status === 404 ? (
        <EmptyState title={text} />
      ) : (
        <ErrorNotice onRetry={onRetry}>{text}</ErrorNotice>
      )}
    </>
  );
}

/** The shape of an organization's page while it is read. */
export function OrganizationBones() {
  return (
    <Skeleton label="Loading organization">
      <Bone width={260} height={26} />
      <br />
      <Bone width={180} />
      <br />
      <Bone height={160} />
    </Skeleton>
  );
}
