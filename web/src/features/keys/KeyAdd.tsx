import limits from '@catalog/limits.json';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { asFailure, say, texts } from '~/api';
import { serverClock } from '~/lib/clock';
import { managerPath } from '~/model/manager';
import { useCan, useOrganization } from '~/session';
import {
  BackIcon,
  Button,
  backLinkClass,
  buttonClass,
  Codes,
  Dialog,
  EmptyState,
  ErrorNotice,
  FormFoot,
  FormSection,
  OfficeSheet,
  PageHead,
  Segmented,
  Select,
  TextField,
} from '~/ui';
import { endOf, type Life, lives, scopesOf, type Use, uses } from './key';
import styles from './keys.module.css';
import { assetsQuery, type NewKey, useKeyVerbs } from './queries';

const LONGEST = limits.text.description.value;

/** Makes a key; its secret is shown once. */
export function KeyAdd() {
  const organization = useOrganization();
  const mayAdd = useCan('ADD_KEY') && organization.relation !== 'accessed';
  return (
    <OfficeSheet narrow>
      <PageHead
        back={
          <Link to={managerPath('key') as '/'} className={backLinkClass}>
            <BackIcon />
            API keys
          </Link>
        }
        title="Create key"
        sentence="Devices and gateways send it with every report. Create one for each."
      />
      {mayAdd ? <Form organizationId={organization.id} /> : <EmptyState title={texts.chrome.forbidden} />}
    </OfficeSheet>
  );
}

const kinds = [
  { id: 'all', label: 'All assets' },
  { id: 'one', label: 'One asset' },
] as const;

function Form({ organizationId }: { organizationId: string }) {
  const navigate = useNavigate();
  const verbs = useKeyVerbs();
  const [description, setDescription] = useState('');
  const [kind, setKind] = useState<(typeof kinds)[number]['id']>('all');
  const [use, setUse] = useState<Use>('ingest');
  const [assetId, setAsset] = useState('');
  const [life, setLife] = useState<Life>('365');
  const [tried, setTried] = useState(false);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [token, setToken] = useState<string>();
  const assets = useQuery({ ...assetsQuery(organizationId), enabled: kind === 'one' });
  const words = description.trim();
  const wrong = {
    description:
      words === '' ? texts.validation.required : words.length > LONGEST ? `${LONGEST} Max Characters` : undefined,
    asset: kind === 'one' && assetId === '' ? texts.validation.required : undefined,
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrong.description || wrong.asset || isPending) return;
    setPending(true);
    setFailure(undefined);
    const expires = endOf(life, serverClock.now());
    const body: NewKey = {
      description: words,
      organization_id: organizationId,
      ...(kind === 'one' ? { thing_id: assetId } : { scopes: scopesOf(use) }),
      ...(expires ? { expires_at: expires } : {}),
    };
    try {
      setToken((await verbs.create(body)).token);
    } catch (error) {
      setFailure(asFailure(error).code === 'key_limit' ? texts.apiKeys.limit : say('generic', error));
    } finally {
      setPending(false);
    }
  };
  return (
    <form onSubmit={event => void submit(event)} noValidate aria-label="Create key">
      <FormSection title="Name" hint="For example: gateway, vendor, phone.">
        <TextField
          label="Description"
          name="description"
          isRequired
          autoFocus
          value={description}
          onChange={setDescription}
          error={tried ? wrong.description : undefined}
        />
      </FormSection>
      <FormSection title="Key for" hint="Use a single-asset key for a phone with a tracker app.">
        <div className={styles.choice}>
          <Segmented label="Key for" value={kind} onChange={setKind} options={kinds} />
        </div>
        {kind === 'one' && (
          <Select
            label="Asset"
            options={assets.data ?? []}
            value={assetId || null}
            onChange={setAsset}
            placeholder={assets.isPending ? 'Loading…' : 'Choose an asset'}
            error={tried ? wrong.asset : undefined}
          />
        )}
      </FormSection>
      {kind === 'all' && (
        <FormSection
          title="Allowed to"
          hint="Vehicles only need to report. Choose Register for systems that add new assets."
        >
          <div className={styles.choice}>
            <Segmented label="Allowed to" value={use} onChange={setUse} options={uses} />
          </div>
        </FormSection>
      )}
      <FormSection title="Expires" hint="The key stops working after this. Maximum: 1 year.">
        <div className={styles.choice}>
          <Segmented label="Expires after" value={life} onChange={setLife} options={lives} />
        </div>
      </FormSection>
      <FormFoot alert={failure && <ErrorNotice>{failure}</ErrorNotice>}>
        <Link to={managerPath('key') as '/'} className={buttonClass({})}>
          Cancel
        </Link>
        <Button variant="primary" type="submit" isPending={isPending}>
          Create key
        </Button>
      </FormFoot>
      {token && (
        <Dialog
          isOpen
          mustAnswer
          wide
          title="Save this key now"
          actions={
            <Button variant="primary" onPress={() => void navigate({ href: managerPath('key') })}>
              I've saved it
            </Button>
          }
        >
          <p className={styles.once}>You won't see it again.</p>
          <Codes codes={[token]} label="API key" fileName="api-key.txt" />
        </Dialog>
      )}
    </form>
  );
}
