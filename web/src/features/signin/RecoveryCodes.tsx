import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '~/ui/Button';
import styles from './PublicPage.module.css';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** Recovery codes, shown once, to copy or to keep as a file. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const [copied, setCopied] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <>
      <ul className={`${styles.codes} mono`} aria-label="Recovery codes">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.row}>
        <Button icon={<Copy {...icon} />} onPress={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button icon={<Download {...icon} />} onPress={() => download(text)}>
          Download
        </Button>
      </div>
    </>
  );
}

function download(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = 'recovery-codes.txt';
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
