import { Download } from 'lucide-react';
import { useState } from 'react';
import { type Schemas, say } from '~/api';
import { bytesText, type Export } from '~/model/export';
import { Button } from '~/ui';
import styles from './exports.module.css';
import { download } from './queries';
import { formatTitle } from './words';

/** The files of an export, each with how large it is; what keeps one from being downloaded stands under them. */
export function Files({ row }: { row: Export }) {
  const [failure, setFailure] = useState<string>();
  return (
    <div className={styles.files}>
      <div className={styles.fileButtons}>
        {row.files.map(file => (
          <FileButton key={file.file_id} title={row.title} file={file} onFailure={setFailure} />
        ))}
      </div>
      <p role="alert" className={styles.failure}>
        {failure}
      </p>
    </div>
  );
}

interface FileButtonProps {
  title: string;
  file: Schemas['ExportFile'];
  /** told why it failed; undefined as soon as it is tried again */
  onFailure: (text: string | undefined) => void;
}

function FileButton({ title, file, onFailure }: FileButtonProps) {
  const [isPending, setPending] = useState(false);
  const words = `${formatTitle(file.format)} ${bytesText(file.bytes)}`;
  const press = async () => {
    onFailure(undefined);
    setPending(true);
    try {
      await download(file);
    } catch (error) {
      onFailure(say('file.link', error));
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      size="small"
      icon={<Download size={14} strokeWidth={1.75} aria-hidden="true" />}
      isPending={isPending}
      onPress={() => void press()}
      aria-label={`Download ${words} of ${title}`}
    >
      <span className="num">{words}</span>
    </Button>
  );
}
