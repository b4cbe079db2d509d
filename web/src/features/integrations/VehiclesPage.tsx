import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { asFailure } from '~/api';
import { serverClock } from '~/lib/clock';
import { useNow } from '~/live';
import { Back, sayMarked, To } from '~/office';
import { Button, Card, ErrorNotice, PageHead, Spinner, Steps } from '~/ui';
import { isUnstarted } from './health';
import { type Integration, providerOf, TAB, vehiclesOf } from './integration';
import styles from './integrations.module.css';
import { STEPS } from './paths';
import { VehicleChoice } from './VehicleChoice';

/** The vehicles that an account has just now, and which assets they are. Nothing is imported by looking. */
export function VehiclesPage({ row }: { row: Integration }) {
  const { label, secret } = providerOf(row.provider);
  const query = useQuery(vehiclesOf(row.id));
  const again = () => void query.refetch();
  const isRefused = Object.keys(asFailure(query.error).fields).length > 0;
  return (
    <>
      <PageHead
        back={
          <Back tab={TAB} id={row.id}>
            {row.name}
          </Back>
        }
        title="Vehicles"
        sentence={
          isUnstarted(row)
            ? `What ${label} has now. Nothing is imported before you press Start.`
            : `What ${label} has now, and which assets they are.`
        }
        actions={
          query.data &&
          !query.isFetching && (
            <Button icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden="true" />} onPress={again}>
              Ask again
            </Button>
          )
        }
      />
      {isUnstarted(row) && <Steps steps={STEPS} at={2} />}
      {query.isFetching ? (
        <Asking provider={label} />
      ) : query.error || !query.data ? (
        <>
          <ErrorNotice onRetry={again}>{sayMarked('generic')(query.error)}</ErrorNotice>
          {isRefused && (
            <p className={styles.way}>
              <To tab={TAB} id={row.id} form button={{}}>
                Replace {secret.toLowerCase()}
              </To>
            </p>
          )}
        </>
      ) : (
        <VehicleChoice key={query.dataUpdatedAt} row={row} vehicles={query.data.vehicles} />
      )}
    </>
  );
}

/** While the provider is asked: for how long it has been. */
function Asking({ provider }: { provider: string }) {
  const [begun] = useState(() => serverClock.now());
  const seconds = Math.max(0, Math.floor((useNow() - begun) / 1000));
  const text = `Asking ${provider} for its vehicles…`;
  return (
    <Card title={text} hint="A large fleet takes up to a minute.">
      <div className={styles.asking}>
        <Spinner label={text} />
        <span className="num" aria-hidden="true">
          {seconds} s
        </span>
      </div>
    </Card>
  );
}
