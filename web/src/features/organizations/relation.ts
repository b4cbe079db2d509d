import * as z from 'zod/mini';
import type { Schemas } from '~/api';
import { countOf } from '~/model/format';
import type { Words } from '~/model/organization';

/** Another organization that manages or sees this one; "none": only single assets are shared with it. */
export type Partner = Schemas['Relations']['partners'][number];

/** A relation that waits for the other side; its name is '' when it is not ours to know. */
export type Offer = Schemas['Offer'];

/** The word on a partner's row. */
export const partnerText = { manager: 'MANAGER', accessor: 'ACCESS', none: 'SINGLE ASSETS' } as const;

/** "1 asset", "19 assets". */
export const assetsText = (count: number): string => countOf(count, 'asset');

/** What ends with a partner, said before it ends. */
export function endingText(partner: Partner, organization: string): string {
  const { organization_name: name, relationship_type: type, assets_count: assets } = partner;
  if (type === 'none') return `${assetsText(assets)} of ${organization} will no longer be shared with ${name}.`;
  const sees = type === 'manager' ? 'no longer work here, nor see' : 'no longer see';
  const whole = `Users of ${name} ${sees} ${organization} and its assets.`;
  if (assets === 0) return whole;
  return `${whole} ${assetsText(assets)} ${assets === 1 ? 'is' : 'are'} shared with ${name} as well; this ends that too.`;
}

/** What accepting an offer means, for those who are asked. */
export function acceptingText(
  { organization_name: name, relationship_type: type }: Offer,
  words: Pick<Words, 'events'>,
): readonly string[] {
  const events = words.events.toLowerCase();
  const gives =
    type === 'manager'
      ? `Your users will work at ${name} as in your own organization: with its assets, ${events} and users.`
      : `Your users will see the assets and ${events} of ${name}, and who its users are. They can't change anything there.`;
  return [gives, `Administrators of ${name} will see the names, email addresses and roles of your users.`];
}

/** The rules of asking another organization, by its exact id (requirements 5.general: "Ids: uuid"). */
export const relationSchema = z.object({
  organization_id: z
    .string()
    .check(
      z.trim(),
      z.toLowerCase(),
      z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Enter an organization ID'),
    ),
  relationship_type: z.enum(['manager', 'accessor']),
});
