import { useState } from 'react';
import { say } from '~/api';
import { dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { useOrganization } from '~/session';
import { Button, Codes, ConfirmAction, Dialog } from '~/ui';
import { fullName, type Member } from './member';
import { type InvitationLink, useUserMutations } from './queries';

/** Makes an invitation's link and shows it once, to hand over in another way than by mail. */
export function CopyInvitation({ member, onClose }: { member: Member; onClose: () => void }) {
  const mutations = useUserMutations();
  const [made, setMade] = useState<InvitationLink>();
  const { timezone } = useOrganization();
  const name = fullName(member);
  if (!made)
    return (
      <ConfirmAction
        title={`Copy an invitation link for ${name}?`}
        say={error => say('generic', error)}
        run={() => mutations.invitationLink(member.id)}
        onDone={setMade}
        onClose={onClose}
      >
        <p>
          Anyone who has the link can choose the password of {member.email}. Give it only to {name}. Earlier links stop
          working, and the audit notes that you copied this one.
        </p>
      </ConfirmAction>
    );
  return (
    <Dialog
      isOpen
      mustAnswer
      wide
      title="Invitation link"
      actions={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <p>
        It works once, until {dateText(instantOf(made.expires_at), timezone, 'LLL-dd-y')}. You won't see it again.{' '}
        {made.mailed
          ? 'The email that waits has the same link.'
          : 'If an email was sent before, its link no longer works.'}
      </p>
      <Codes codes={[made.link]} label="Invitation link" fileName="invitation-link.txt" />
    </Dialog>
  );
}
