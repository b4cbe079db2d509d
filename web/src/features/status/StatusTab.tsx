import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { Loaded, To } from '~/office';
import { useCan, useOrganization } from '~/session';
import { Button, Card, Cards, DescriptionList, ErrorNotice, Notice, OfficePage, PageHead } from '~/ui';
import { type Concern, concernsQuery, serverLines, serverQuery, type TestMail, testWords, toldOf } from './status';
import styles from './status.module.css';

/** The status tab: what needs an administrator of the organization, and what of the server the platform's. */
export default function StatusTab() {
  const { id } = useOrganization();
  return <Page key={id} />;
}

function Page() {
  const { id, name, timezone } = useOrganization();
  const runsServer = useCan('MANAGE_PLATFORM');
  const concerns = useQuery(concernsQuery(id));
  const server = useQuery(serverQuery(runsServer));
  return (
    <OfficePage>
      <PageHead title="Status" sentence={`What needs an administrator of ${name}, with the next step.`} />
      <section className={styles.part} aria-label="Organization">
        <h2>Organization</h2>
        <Loaded query={concerns} label="Loading status" height={120}>
          {found => <Concerns rows={found.concerns} />}
        </Loaded>
      </section>
      {runsServer && (
        <section className={styles.part} aria-label="Server">
          <h2>Server</h2>
          <Loaded query={server} label="Loading the server's status" height={240}>
            {found => (
              <>
                <Concerns rows={found.concerns} />
                <Cards two>
                  <Card title="This server">
                    <DescriptionList wide rows={serverLines(found, timezone, serverClock.now())} />
                  </Card>
                  <Card title="Test email" hint="Sends you an email now, and shows what the mail server says.">
                    <TestEmail />
                  </Card>
                </Cards>
              </>
            )}
          </Loaded>
        </section>
      )}
    </OfficePage>
  );
}

function Concerns({ rows }: { rows: readonly Concern[] }) {
  if (rows.length === 0)
    return (
      <p className={styles.well}>
        <CircleCheck size={16} strokeWidth={1.75} aria-hidden="true" /> Nothing needs you.
      </p>
    );
  return (
    <ul className={styles.concerns}>
      {rows.map(row => (
        <ConcernRow key={`${row.kind} ${row.id}`} concern={row} />
      ))}
    </ul>
  );
}

function ConcernRow({ concern }: { concern: Concern }) {
  const { timezone } = useOrganization();
  const { title, next, tab, id } = toldOf(concern, timezone, serverClock.now());
  return (
    <li className={styles.concern}>
      <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <div>
        <b>{title}</b>
        <p>{next}</p>
        {concern.assets.length > 0 && <Assets concern={concern} />}
      </div>
      {tab && (
        <To tab={tab} {...(id && { id })} button={{ size: 'small' }} aria-label={`Open: ${title}`}>
          Open
        </To>
      )}
    </li>
  );
}

/** Some of the assets by name; the tab has all. */
function Assets({ concern: { assets, count } }: { concern: Concern }) {
  const links: ReactNode[] = assets.map(one => (
    <li key={one.id}>
      <To tab="thing" id={one.id}>
        {one.name}
      </To>
    </li>
  ));
  return (
    <ul className={styles.assets}>
      {links}
      {count > assets.length && <li>and {count - assets.length} more</li>}
    </ul>
  );
}

function TestEmail() {
  const [isPending, setPending] = useState(false);
  const [went, setWent] = useState<TestMail>();
  const [failure, setFailure] = useState<string>();
  const send = async () => {
    setPending(true);
    setWent(undefined);
    setFailure(undefined);
    try {
      setWent(await api.data('POST /status/test_mail'));
    } catch (error) {
      setFailure(say('generic', error));
    }
    setPending(false);
  };
  return (
    <div aria-live="polite">
      <Button onPress={() => void send()} isPending={isPending}>
        Send test email
      </Button>
      {went && (
        <Notice tone={testWords(went).tone}>
          {testWords(went).text}
          {went.answer && <code className={styles.answer}>{went.answer}</code>}
        </Notice>
      )}
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
    </div>
  );
}
