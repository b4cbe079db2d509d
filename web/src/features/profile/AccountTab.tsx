import { useEffect } from 'react';
import type { ManagerPlace } from '~/model/manager';
import { EmptyState, OfficePage, PageHead } from '~/ui';
import { ProfileEdit } from './ProfileEdit';
import { ProfilePanel, parts } from './ProfilePanel';

/**
 * The Account tab: Profile & Preferences of the signed-in user. A target is one of its parts; the profile has a form
 * of its own, the others are changed where they stand.
 */
export default function AccountTab({ view, target }: ManagerPlace) {
  const isKnown = target !== undefined && parts.includes(target);
  useEffect(() => {
    if (view !== 'list' && target) document.getElementById(target)?.scrollIntoView();
  }, [view, target]);
  if (view === 'form' && target === 'profile')
    return (
      <OfficePage narrow>
        <ProfileEdit />
      </OfficePage>
    );
  if (view !== 'list' && !isKnown)
    return (
      <OfficePage>
        <EmptyState title="No results found." />
      </OfficePage>
    );
  return (
    <OfficePage narrow>
      <PageHead title="Profile & Preferences" sentence="Your profile, sign-in, and preferences." />
      <ProfilePanel edits={{ tab: 'account', id: 'profile', form: true }} />
    </OfficePage>
  );
}
