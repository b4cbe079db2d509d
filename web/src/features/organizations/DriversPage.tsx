import { type Control, useWatch } from 'react-hook-form';
import { CopyButton, Mono, Qr, Sub } from '~/ui';
import type { OrganizationForm, OrganizationRow } from './organization';
import styles from './organizations.module.css';

/** Where phones are told what lies ahead, beside the switch that opens it to everyone. */
export function DriversPage({ control, row }: { control: Control<OrganizationForm>; row: OrganizationRow }) {
  const isPublic = useWatch({ control, name: 'alerts_public' });
  if (!isPublic) return null;
  const url = `${window.location.origin}/drive/${row.id}`;
  return (
    <section className={styles.drivers} aria-label="Page for drivers">
      <Qr text={url} label="QR code of the page for drivers" />
      <div className={styles.who}>
        <a href={url} target="_blank" rel="noreferrer">
          Page for drivers
        </a>
        <Sub>
          <Mono>{url}</Mono>
        </Sub>
        <Sub>
          A phone in its holder shows and says what lies ahead.
          {!row.alerts_public && ' It opens to everyone after you save.'}
        </Sub>
        <CopyButton text={url} size="small" />
      </div>
    </section>
  );
}
