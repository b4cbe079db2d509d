import { textColumn } from '~/office';
import { Pill } from '~/ui';
import { type OrganizationRow, relationText } from './organization';
import type { Billed } from './queries';

/** What the signed-in user's organization is to this one. */
export const RelationPill = ({ row: { relation } }: { row: Pick<OrganizationRow, 'relation'> }) => (
  <Pill tone={relation === 'own' ? 'accent' : 'neutral'}>{relationText[relation]}</Pill>
);

/** Whom to talk to, and how. */
export const contactColumn = (sub: (row: Billed) => string) =>
  textColumn<Billed>('Contact', row => row.contact_name, { sub });
