import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '~/api';
import { serverClock } from '~/lib/clock';
import { agoText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { Loaded, To } from '~/office';
import { useCan, useOrganization } from '~/session';
import { Card, CopyButton, Mono, Pill, Sub } from '~/ui';
import { licenseName, type OrganizationRow } from './organization';
import styles from './organizations.module.css';
import { feedsQuery } from './queries';

type FeedsData = Schemas['Feeds'];

/** What each document is for, by its name. */
const titles: Readonly<Record<string, string>> = {
  'wzdx-4.2.geojson': 'WZDx 4.2',
  'cwz-1.0.geojson': 'Connected work zones (CWZ 1.0)',
  'cifs.json': 'Waze (CIFS, JSON)',
  'cifs.xml': 'Waze (CIFS, XML)',
  'closures.geojson': 'GeoJSON',
  'closures.rss': 'News (RSS)',
  'closures.ics': 'Calendar (iCal)',
  'wzdx-devices-4.2.geojson': 'Field devices (WZDx 4.2)',
  'alerts.geojson': 'Alerts to drivers (GeoJSON)',
  'alerts.atom': 'Public warnings (CAP 1.2 in Atom)',
  'alerts/stream': 'Alerts to drivers (live stream)',
};

/** Where an organization's closures and alerts are published, and who reads them. */
export function Feeds({ row }: { row: OrganizationRow }) {
  const mayCheck = useCan('CHECK_FEED');
  const mayRead = useCan('VIEW_FEED_SUBSCRIPTIONS');
  const { id } = useOrganization();
  const ways = (
    <div className={styles.ways}>
      {mayRead && row.id === id && (
        <To tab="feed" button={{ size: 'small' }}>
          Incoming feeds
        </To>
      )}
      {mayCheck && (
        <To tab="check-feed" button={{ size: 'small' }}>
          Check a feed
        </To>
      )}
    </div>
  );
  return (
    <Card
      title="Feeds"
      hint={`${feedsHint(row.feeds_public)} License: ${licenseName(row.feed_license)}.`}
      action={ways}
    >
      <Loaded query={useQuery(feedsQuery(row.id))} operation="organization.load" label="Loading feeds">
        {feeds => (
          <>
            <Addresses feeds={feeds} alertsPublic={row.alerts_public} />
            <Consumers consumers={feeds.consumers} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

const feedsHint = (isPublic: boolean) =>
  isPublic
    ? 'Anyone can read these feeds. Readers with a key appear below.'
    : 'Readers need an API key with the feeds scope.';

function Addresses({ feeds, alertsPublic }: { feeds: FeedsData; alertsPublic: boolean }) {
  const shown = feeds.documents.filter(one => feeds.is_public || !one.is_public_only);
  return (
    <>
      {feeds.is_public && <Address title="Public page" url={feeds.page_url} />}
      {shown.map(one => (
        <Address
          key={one.name}
          title={titles[one.name] ?? one.name}
          url={one.url}
          note={one.scope === 'alerts' ? alertNotes[one.name] + alertReaders(alertsPublic) : ''}
        />
      ))}
    </>
  );
}

const alertNotes: Readonly<Record<string, string>> = {
  'alerts.geojson': 'Assets with their lights on. ',
  'alerts.atom': 'Incidents with assets on scene, active alerting zones, and hazards. ',
  'alerts/stream': 'Assets with their lights on, closures, and hazards. ',
};

const alertReaders = (isPublic: boolean) =>
  isPublic ? 'Anyone can read them.' : 'Readers need a key with the alerts scope.';

function Address({ title, url, note = '' }: { title: string; url: string; note?: string }) {
  return (
    <section className={styles.relation} aria-label={title}>
      <div className={styles.who}>
        {title}
        <Sub>
          <Mono>{url}</Mono>
        </Sub>
        {note && <Sub>{note}</Sub>}
      </div>
      <CopyButton text={url} />
    </section>
  );
}

const standing = {
  never: { word: 'NEVER READ', tone: 'neutral' },
  reading: { word: 'READING', tone: 'good' },
  silent: { word: 'SILENT', tone: 'warn' },
} as const;

function Consumers({ consumers }: Pick<FeedsData, 'consumers'>) {
  const now = serverClock.now();
  return (
    <>
      <h3 className={styles.part}>Consumers</h3>
      {consumers.length === 0 && <p>No API key can read these feeds yet.</p>}
      {consumers.map(one => (
        <section key={one.id} className={styles.relation} aria-label={one.name}>
          <div className={styles.who}>
            {one.name}
            <Sub>{fetchedText(one, now)}</Sub>
          </div>
          <Pill tone={standing[one.status].tone}>{standing[one.status].word}</Pill>
        </section>
      ))}
    </>
  );
}

const fetchedText = (one: Schemas['FeedConsumer'], now: number) =>
  one.last_fetched_at === null
    ? 'Not fetched in the last 30 days'
    : `Last fetched ${agoText(instantOf(one.last_fetched_at), now)} · ${one.fetches_today} today`;
