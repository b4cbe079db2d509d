import { useState } from 'react';
import { say } from '~/api';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { session, useOrganization } from '~/session';
import { Button, Card, ConfirmAction, Sub, toast } from '~/ui';
import { placeText } from './organization';
import styles from './organizations.module.css';
import { useOrganizationVerbs } from './queries';
import { acceptingText, type Offer } from './relation';

interface OffersProps {
  offers: readonly Offer[];
  mayEdit: boolean;
}

/** What other organizations ask of this one. Nothing is shared before somebody accepts. */
export function Offers({ offers, mayEdit }: OffersProps) {
  const { timezone } = useOrganization();
  const [asks, setAsks] = useState<{ offer: Offer; accepts: boolean }>();
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
          {mayEdit && (
            <>
              <Button
                size="small"
                aria-label={`Decline the offer from ${offer.organization_name}`}
                onPress={() => setAsks({ offer, accepts: false })}
              >
                Decline
              </Button>
              <Button
                size="small"
                variant="primary"
                aria-label={`Accept the offer from ${offer.organization_name}`}
                onPress={() => setAsks({ offer, accepts: true })}
              >
                Accept
              </Button>
            </>
          )}
        </div>
      ))}
      {asks?.accepts && <Accept offer={asks.offer} onClose={() => setAsks(undefined)} />}
      {asks && !asks.accepts && <Decline offer={asks.offer} onClose={() => setAsks(undefined)} />}
    </Card>
  );
}

interface AnswerProps {
  offer: Offer;
  onClose: () => void;
}

function Accept({ offer, onClose }: AnswerProps) {
  const name = offer.organization_name;
  const verbs = useOrganizationVerbs();
  return (
    <ConfirmAction
      title={offer.relationship_type === 'manager' ? `Manage ${name}?` : `See the assets of ${name}?`}
      say={error => say('organization.offer', error)}
      onClose={onClose}
      run={async () => {
        await verbs.accept(offer.id);
        await session.reloadProfile();
        toast(`${name} is now one of your organizations`);
      }}
    >
      <div className={styles.sentences}>
        {acceptingText(offer).map(sentence => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p>Either side can end this at any time.</p>
      </div>
    </ConfirmAction>
  );
}

function Decline({ offer, onClose }: AnswerProps) {
  const name = offer.organization_name;
  const verbs = useOrganizationVerbs();
  return (
    <ConfirmAction
      title={`Decline the offer from ${offer.organization_name}?`}
      say={error => say('organization.offer', error)}
      onClose={onClose}
      run={async () => {
        const gone = await verbs.endOffer(offer.id);
        toast(gone ? say('organization.offer', gone) : 'Offer declined');
      }}
    >
      <p>{name} will see that you declined and can ask again.</p>
    </ConfirmAction>
  );
}
