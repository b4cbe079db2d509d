import type { Member } from './member';

/** How the letter of an invitation stands, as the user's page says it; undefined when nobody was invited. */
export function letterWords(
  member: Pick<Member, 'invitation_mail' | 'invited_at' | 'invitation_open'>,
): string | undefined {
  switch (member.invitation_mail) {
    case 'queued':
      return 'Waiting to be sent';
    case 'retrying':
      return "Not sent yet. The mail server didn't take it; we'll keep trying.";
    case 'unsent':
      return 'Not sent. It waits on the server, because no mail server is set up.';
    case 'failed':
      return "Not delivered. The mail server refused it, or didn't take it in time.";
    case 'sent':
      return 'Sent to the mail server';
    default:
      return member.invitation_open && member.invited_at ? 'By link, without an email' : undefined;
  }
}

/** What is said in passing after somebody was invited. */
export function invitedWords({ invitation_mail: letter, email }: Pick<Member, 'invitation_mail' | 'email'>): {
  text: string;
  tone: 'info' | 'danger';
} {
  switch (letter) {
    case 'sent':
      return { text: `Invitation sent to ${email}`, tone: 'info' };
    case 'unsent':
      return {
        text: `The invitation to ${email} waits on the server: no mail server is set up. Copy the invitation link instead.`,
        tone: 'danger',
      };
    case 'retrying':
      return { text: `The mail server didn't take the invitation to ${email} yet. We'll keep trying.`, tone: 'danger' };
    case 'failed':
      return { text: `The invitation to ${email} couldn't be delivered.`, tone: 'danger' };
    case 'queued':
      return { text: `The invitation to ${email} is waiting to be sent.`, tone: 'info' };
    default:
      return { text: `${email} is added and signs in with your organization's provider.`, tone: 'info' };
  }
}

/** Whether an administrator needs another way to hand the invitation over. */
export const isStuck = ({ invitation_mail: letter }: Pick<Member, 'invitation_mail'>): boolean =>
  letter === 'unsent' || letter === 'retrying' || letter === 'failed';
