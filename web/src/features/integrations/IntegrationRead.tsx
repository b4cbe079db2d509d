import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { ListChecks, Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNow } from '~/live';
import { agoText, countOf, countText, whenText } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import { Back, EditLink, PathLink, RowPage, To, useGoTo } from '~/office';
import { useMay, useOrganization } from '~/session';
import { Button, Card, Cards, DescriptionList, Notice, PageHead, Pill } from '~/ui';
import { FetchNow, useArrival } from './FetchNow';
import { countsText, eventsText, integrationStatus, isUnstarted, noticeOf, reasonText, refusedOf } from './health';
import { Remove, usePause } from './IntegrationMenu';
import { type Integration, integrations, MAY, providerOf, REFRESH_MS, regions, TAB, USUAL_REGION } from './integration';
import styles from './integrations.module.css';
import { VEHICLES, vehiclesPath } from './paths';
import { VehiclesPage } from './VehiclesPage';

const back = <Back tab={TAB}>Integrations</Back>;
const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** While somebody waits for a fetch. */
const AWAITED_MS = 1000;

/** An integration to read: how it is, what came of it; or, where the address says so, its vehicles. */
export function IntegrationRead({ id }: { id: string }) {
  /** The last fetch as the server knew it when another one was asked for, which is waited for; 0 = none. */
  const [awaited, setAwaited] = useState<Instant>();
  const isAwaiting = awaited !== undefined;
  const query = useQuery({ ...integrations.one(id), refetchInterval: isAwaiting ? AWAITED_MS : REFRESH_MS });
  useArrival(awaited, query.data, () => setAwaited(undefined));
  const [mayEdit, mayCheck] = [useMay(MAY.edit), useMay(MAY.add)];
  const isVehicles = useLocation({ select: location => location.hash }) === VEHICLES;
  return (
    <RowPage query={query} back={back} title="Integration" missing="Integration not found">
      {row =>
        isVehicles && mayCheck ? (
          <VehiclesPage row={row} />
        ) : (
          <Body
            row={row}
            mayEdit={mayEdit}
            mayCheck={mayCheck}
            isAwaiting={isAwaiting}
            onAwait={last => setAwaited(instantOf(last.last_fetched_at))}
          />
        )
      }
    </RowPage>
  );
}

interface PartProps {
  row: Integration;
  mayEdit: boolean;
  /** whether one may ask the provider for its vehicles */
  mayCheck: boolean;
}

interface BodyProps extends PartProps {
  /** whether another fetch is waited for */
  isAwaiting: boolean;
  onAwait: (last: Integration) => void;
}

function Body(props: BodyProps) {
  const { row } = props;
  const { text, tone } = integrationStatus(row);
  return (
    <>
      <PageHead
        back={back}
        title={
          <>
            {row.name}
            <Pill tone={tone}>{text}</Pill>
          </>
        }
        sentence={[providerOf(row.provider).label, row.database].filter(Boolean).join(' · ')}
        actions={<Actions {...props} />}
      />
      <State {...props} />
      <Cards two>
        <Now row={row} />
        <Account row={row} />
      </Cards>
      {refusedOf(row) > 0 && (
        <Cards>
          <Refused row={row} />
        </Cards>
      )}
    </>
  );
}

function Actions({ row, mayEdit, mayCheck, isAwaiting, onAwait }: BodyProps) {
  const goTo = useGoTo();
  const [asks, setAsks] = useState(false);
  const mayRemove = useMay(MAY.remove);
  return (
    <>
      {mayRemove && (
        <Button variant="danger" icon={<Trash2 {...icon} />} onPress={() => setAsks(true)}>
          Remove
        </Button>
      )}
      {mayEdit && (
        <>
          <PauseButton row={row} />
          {row.is_active && <FetchNow row={row} isAwaiting={isAwaiting} onAwait={onAwait} />}
        </>
      )}
      {mayCheck && (
        <PathLink path={vehiclesPath(row.id)} button={{}}>
          <ListChecks {...icon} />
          Check vehicles
        </PathLink>
      )}
      {mayEdit && <EditLink tab={TAB} id={row.id} />}
      {asks && <Remove row={row} onClose={() => setAsks(false)} onDone={() => void goTo({ tab: TAB })} />}
    </>
  );
}

function PauseButton({ row }: { row: Integration }) {
  const pause = usePause(row);
  const [isPending, setPending] = useState(false);
  if (isUnstarted(row)) return null;
  const press = async () => {
    setPending(true);
    await pause(row.is_active);
    setPending(false);
  };
  return (
    <Button
      icon={row.is_active ? <Pause {...icon} /> : <Play {...icon} />}
      isPending={isPending}
      onPress={() => void press()}
    >
      {row.is_active ? 'Pause' : 'Resume'}
    </Button>
  );
}

/** What somebody has to know or to do. */
function State({ row, mayEdit, mayCheck }: PartProps) {
  const { timezone } = useOrganization();
  const notice = noticeOf(row, timezone, useNow());
  const { secret } = providerOf(row.provider);
  return (
    <div role="status">
      {notice && (
        <Notice tone={notice.tone} className={styles.state ?? ''}>
          <b>{notice.title}</b>
          <p>{notice.sentence}</p>
          {mayCheck && notice.way === 'check' && (
            <PathLink path={vehiclesPath(row.id)} button={{ size: 'small' }}>
              Check vehicles
            </PathLink>
          )}
          {mayEdit && notice.way === 'edit' && (
            <To tab={TAB} id={row.id} form button={{ size: 'small' }}>
              Replace {secret.toLowerCase()}
            </To>
          )}
        </Notice>
      )}
    </div>
  );
}

function Now({ row }: { row: Integration }) {
  const { timezone } = useOrganization();
  const now = useNow();
  return (
    <Card
      title="Now"
      hint={`These vehicles open no incident by themselves: ${providerOf(row.provider).label} doesn't say how accurate a position is.`}
    >
      <DescriptionList
        rows={[
          ['Last good fetch', agoText(instantOf(row.last_good_at), now)],
          ['Newest report', agoText(instantOf(row.last_report_at), now)],
          ['Reports', row.counted_since && countsText(row)],
          ['Last event', eventsText(row, now)],
          ['Not linked', row.unlinked > 0 && `${countOf(row.unlinked, 'report')} of vehicles without an asset`],
          ['Counted since', row.counted_since && whenText(instantOf(row.counted_since), timezone, now)],
        ]}
      />
    </Card>
  );
}

function Account({ row }: { row: Integration }) {
  const { label, secret } = providerOf(row.provider);
  const isGeotab = row.provider === 'geotab';
  return (
    <Card title="Account">
      <DescriptionList
        rows={[
          ['Provider', label],
          ...(isGeotab
            ? ([
                ['Server', row.server || 'my.geotab.com'],
                ['Database', row.database],
                ['User name', row.user],
              ] as const)
            : ([
                ['Region', regions.find(one => one.id === row.server)?.label ?? (row.server || USUAL_REGION)],
              ] as const)),
          [secret, row.has_secret ? 'Saved' : 'Missing'],
          ...(isGeotab ? [] : ([['Webhook', row.has_webhook ? 'Saved' : 'Not set up']] as const)),
          ['Emergency lights', row.lights.length > 0 ? row.lights.join(', ') : 'Not read'],
        ]}
      />
    </Card>
  );
}

/** How many reports were refused for what, the most first. */
function Refused({ row }: { row: Integration }) {
  const reasons = Object.entries(row.refused).sort(([, a], [, b]) => b - a);
  return (
    <Card title="Rejected" hint={`${countText(refusedOf(row))} of ${countText(row.kept + refusedOf(row))} reports.`}>
      <ul className={styles.reasons} aria-label="Why reports were rejected">
        {reasons.map(([reason, count]) => (
          <li key={reason}>
            <span>{reasonText(reason)}</span>
            <b className="num">{countText(count)}</b>
          </li>
        ))}
      </ul>
    </Card>
  );
}
