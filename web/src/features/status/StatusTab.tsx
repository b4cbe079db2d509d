import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { api, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { Loaded, PathLink, To } from '~/office';
import { useCan, useOrganization, useProfile } from '~/session';
import {
  Button,
  Card,
  Cards,
  DescriptionList,
  ErrorNotice,
  Notice,
  OfficePage,
  PageHead,
  ToggleRow,
  toast,
} from '~/ui';
import {
  type Concern,
  closurePath,
  concernsQuery,
  describeConcern,
  serverLines,
  serverQuery,
  type TestMail,
  testWords,
} from './status';
import styles from './status.module.css';

/** The status tab: what needs an administrator of the organization, and what of the server the platform's. */
export default function StatusTab() {
  const { id } = useOrganization();
  return <Page key={id} />;
}

function Page() {
  const { id, name, timezone, relation } = useOrganization();
  const runsServer = useCan('MANAGE_PLATFORM');
  const concerns = useQuery(concernsQuery(id));
  const server = useQuery(serverQuery(runsServer));
  return (
    <OfficePage>
      <PageHead title="Status" sentence={`What needs an administrator of ${name}, with the next step.`} />
      <section className={styles.part} aria-label="Organization">
        <h2>Organization</h2>
        <Loaded query={concerns} label="Loading status" height={120}>
          {found => (
            <>
              <Concerns rows={found.concerns} />
              {relation === 'own' && <MailMe mail={found.mail} server={runsServer} />}
            </>
          )}
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
  const { title, next, tab, id, path } = describeConcern(concern, timezone, serverClock.now());
  return (
    <li className={styles.concern}>
      <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <div>
        <b>{title}</b>
        <p>{next}</p>
        <Named concern={concern} />
      </div>
      {tab && (
        <To tab={tab} {...(id && { id })} button={{ size: 'small' }} aria-label={`Open: ${title}`}>
          Open
        </To>
      )}
      {path && (
        <PathLink path={path} button={{ size: 'small' }} aria-label={`Open: ${title}`}>
          Open
        </PathLink>
      )}
    </li>
  );
}

/** Some of the assets or closures by name; the list has all. */
function Named({ concern: { assets, closures, count } }: { concern: Concern }) {
  if (assets.length + closures.length === 0) return null;
  return (
    <ul className={styles.assets}>
      {assets.map(one => (
        <li key={one.id}>
          <To tab="thing" id={one.id}>
            {one.name}
          </To>
        </li>
      ))}
      {closures.map(one => (
        <li key={one.id}>
          <PathLink path={closurePath(one.id)}>{one.name}</PathLink>
        </li>
      ))}
      {count > assets.length + closures.length && <li>and {count - assets.length - closures.length} more</li>}
    </ul>
  );
}

/** Each for themselves, and at once. */
function MailMe({ mail, server }: { mail: boolean; server: boolean }) {
  const queries = useQueryClient();
  const { email } = useProfile();
  const save = useMutation({
    mutationFn: (on: boolean) => api.data('PUT /status/mail', { body: { mail: on } }),
    onError: error => toast(say('generic', error), { tone: 'danger' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['concerns'] }),
  });
  const what = server ? 'What the server needs' : 'What needs an administrator';
  return (
    <Card title="Your email" hint={`To ${email}, at most once a day.`}>
      <ToggleRow
        label="Email me"
        hint={`${what}: when something is new or worse, and each week while it stays so.`}
        isSelected={save.isPending ? save.variables : mail}
        isDisabled={save.isPending}
        onChange={on => save.mutate(on)}
      />
    </Card>
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
