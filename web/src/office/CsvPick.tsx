import { Upload } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from '~/ui';
import styles from './csvPick.module.css';

export interface CsvPickProps {
  onPick: (file: File) => void;
  isPending: boolean;
  /** A file is shown already. */
  again: boolean;
  /** What else helps with the file. */
  children?: ReactNode;
}

/** Chooses a CSV file. */
export function CsvPick({ onPick, isPending, again, children }: CsvPickProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.pick}>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="CSV file"
        onChange={event => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) onPick(file);
        }}
      />
      <Button
        icon={<Upload size={16} strokeWidth={1.75} aria-hidden="true" />}
        variant={again ? 'default' : 'primary'}
        isPending={isPending}
        onPress={() => input.current?.click()}
      >
        {again ? 'Choose another file' : 'Choose a CSV file'}
      </Button>
      {children}
    </div>
  );
}
