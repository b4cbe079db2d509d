import type { Schemas } from '~/api';
import { type Instant, instantOf } from '~/model/instant';

export type WireRelations = Schemas['Relations'];
export type RelationOutcome = Schemas['RelationOutcome'];

/** Another organization that manages or sees this one, or single assets of it. */
export interface Partner {
  id: string;
  name: string;
  /** "none": only single assets are shared with it. */
  type: 'manager' | 'accessor' | 'none';
  /** Assets that are shared with it by themselves. */
  assetsCount: number;
}

/** A relation that waits for the other side. */
export interface Offer {
  id: string;
  direction: 'made' | 'received';
  organizationId: string;
  /** '' when it is not ours to know. */
  name: string;
  /** "Wilmington, DE" */
  place: string;
  type: 'manager' | 'accessor';
  expiresAt: Instant;
}

interface Relations {
  partners: readonly Partner[];
  made: readonly Offer[];
  received: readonly Offer[];
}

export function relationsOf(wire: WireRelations): Relations {
  const offers = wire.offers.map(
    (one): Offer => ({
      id: one.id,
      direction: one.direction,
      organizationId: one.organization_id,
      name: one.organization_name,
      place: [one.city, one.state].filter(Boolean).join(', '),
      type: one.relationship_type,
      expiresAt: instantOf(one.expires_at),
    }),
  );
  return {
    partners: wire.partners.map(one => ({
      id: one.organization_id,
      name: one.organization_name,
      type: one.relationship_type,
      assetsCount: one.assets_count,
    })),
    made: offers.filter(one => one.direction === 'made'),
    received: offers.filter(one => one.direction === 'received'),
  };
}

/** The word on a partner's row. */
export const partnerText: Readonly<Record<Partner['type'], string>> = {
  manager: 'MANAGER',
  accessor: 'ACCESS',
  none: 'SINGLE ASSETS',
};

/** "1 asset", "19 assets". */
export const assetsText = (count: number): string => `${count} ${count === 1 ? 'asset' : 'assets'}`;

/** What ends with a partner, said before it ends. */
export function endingText(partner: Partner, organization: string): string {
  const { name, type, assetsCount } = partner;
  if (type === 'none') return `${assetsText(assetsCount)} of ${organization} will no longer be shared with ${name}.`;
  const sees = type === 'manager' ? 'no longer work here, nor see' : 'no longer see';
  const whole = `Users of ${name} ${sees} ${organization} and its assets.`;
  if (assetsCount === 0) return whole;
  const are = assetsCount === 1 ? 'is' : 'are';
  return `${whole} ${assetsText(assetsCount)} ${are} shared with ${name} as well; this ends that too.`;
}

/** What accepting an offer means, for those who are asked. */
export function acceptingText({ name, type }: Offer): readonly string[] {
  const gives =
    type === 'manager'
      ? `Your users will work at ${name} as in your own organization: with its assets, incidents and users.`
      : `Your users will see the assets and incidents of ${name}, and who its users are. They can't change anything there.`;
  return [gives, `Administrators of ${name} will see the names, email addresses and roles of your users.`];
}
