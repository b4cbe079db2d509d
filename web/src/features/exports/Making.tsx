import { type ExportState, exportState } from '~/model/export';
import { Loaded } from '~/office';
import { useBrand, useMay } from '~/session';
import { Button, Card, Notice } from '~/ui';
import { ExportStatus } from './ExportStatus';
import styles from './exports.module.css';
import { Files } from './FileButton';
import { Head } from './Head';
import { ListLink } from './ListLink';
import { useExport } from './queries';
import { Cancel } from './RowButtons';
import { failedText, rangeText } from './words';

const titles: Readonly<Record<ExportState, string>> = {
  making: 'Your export is being made',
  completed: 'Your export is ready',
  failed: 'Your export has failed',
  canceled: 'Your export was canceled',
};

/** The last step: how far the export is. It is made without this page as well. */
export function Making({ id, onAgain }: { id: string; onAgain: () => void }) {
  const brand = useBrand();
  const query = useExport(id);
  const mayCancel = useMay('CREATE_EXPORT');
  const standing = query.data ? exportState(query.data) : 'making';
  return (
    <>
      <Head
        step={2}
        title={titles[standing]}
        {...(standing === 'making' && { sentence: 'You can leave this page. Its files will be in Data Exports.' })}
      />
      {/* A heading that changes is not heard. */}
      <p role="status" className="visually-hidden">
        {standing !== 'making' && titles[standing]}
      </p>
      <Loaded query={query} operation="export" label="Loading export" height={96}>
        {row => (
          <Card
            title={row.title}
            hint={`${rangeText(row)} (${row.time_zone})`}
            action={mayCancel && standing === 'making' && <Cancel row={row} />}
          >
            <div className={styles.making}>
              <ExportStatus row={row} />
              {row.files.length > 0 && <Files row={row} />}
              {standing === 'failed' && <Notice tone="warn">{failedText(brand)}</Notice>}
            </div>
          </Card>
        )}
      </Loaded>
      <div className={styles.ways}>
        {query.data && <ListLink organizationId={query.data.organization_id} />}
        <Button onPress={onAgain}>New export</Button>
      </div>
    </>
  );
}
