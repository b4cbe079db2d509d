import { say } from '~/api';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { useWords } from '~/section/words';
import { session, useOrganization } from '~/session';
import { AskButton, Card, Sub, toast } from '~/ui';
import { placeText } from './organization';
import styles from './organizations.module.css';
import { useOrganizationMutations } from './queries';
import { acceptingText, type Offer } from './relation';

interface OffersProps {
  offers: readonly Offer[];
  mayEdit: boolean;
}

/** What other organizations ask of this one. Nothing is shared before somebody accepts. */
export function Offers({ offers, mayEdit }: OffersProps) {
  const { timezone } = useOrganization();
  return (
    <Card
      title="Offers"
      hint="Nothing is shared until you accept. Organization names aren't verified: if you weren't expecting this, check with them first."
    >
      {offers.map(offer => (
        <div key={offer.id} className={styles.relation}>
          <div className={styles.who}>
            <b>{offer.organization_name}</b>
            {placeText(offer) && ` · ${placeText(offer)}`}
            <Sub>
              {offer.relationship_type === 'manager'
                ? 'Wants you to manage it.'
                : 'Wants to share its assets with you.'}{' '}
              Respond by {dateText(instantOf(offer.expires_at), timezone, DATE_PATTERNS.monthFirst)}.
            </Sub>
            <Sub>
              ID <span className="mono">{offer.organization_id}</span>
            </Sub>
          </div>
          {mayEdit && <Answers offer={offer} />}
        </div>
      ))}
    </Card>
  );
}

function Answers({ offer }: { offer: Offer }) {
  const mutations = useOrganizationMutations();
  const words = useWords();
  const { id, organization_name: name, relationship_type: type } = offer;
  const shared = { say: (error: unknown) => say('organization.offer', error) };
  return (
    <>
      <AskButton
        {...shared}
        label="Decline"
        button={{ size: 'small', 'aria-label': `Decline the offer from ${name}` }}
        title={`Decline the offer from ${name}?`}
        run={async () => {
          const gone = await mutations.endOffer(id);
          toast(gone ? say('organization.offer', gone) : 'Offer declined');
        }}
      >
        <p>{name} will see that you declined and can ask again.</p>
      </AskButton>
      <AskButton
        {...shared}
        label="Accept"
        button={{ size: 'small', variant: 'primary', 'aria-label': `Accept the offer from ${name}` }}
        title={type === 'manager' ? `Manage ${name}?` : `See the assets of ${name}?`}
        run={async () => {
          await mutations.accept(id);
          await session.reloadProfile();
          toast(`${name} is now one of your organizations`);
        }}
      >
        <div className={styles.sentences}>
          {acceptingText(offer, words).map(sentence => (
            <p key={sentence}>{sentence}</p>
          ))}
          <p>Either side can end this at any time.</p>
        </div>
      </AskButton>
    </>
  );
}
