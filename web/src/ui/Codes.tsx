import limits from '@catalog/limits.json';
import { Check, Circle, CircleCheck, CircleX, Copy, Download } from 'lucide-react';
import { saveFile } from '~/lib/saveFile';
import { Button, type ButtonProps } from './Button';
import styles from './Codes.module.css';
import { useCopied } from './useCopied';

const COPIED_MS = limits.ui.copiedListMs.value;

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

interface CopyButtonProps {
  text: string;
  label?: string;
  size?: ButtonProps['size'];
}

/** Copies a text and says so for 1 s (requirements 9.ui). */
export function CopyButton({ text, label = 'Copy', size = 'medium' }: CopyButtonProps) {
  const [copied, copy] = useCopied(COPIED_MS);
  return (
    <Button size={size} icon={copied ? <Check {...icon} /> : <Copy {...icon} />} onPress={() => copy('text', text)}>
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}

/** Codes that are shown once, to copy or to keep as a file. */
export function Codes({ codes, label, fileName }: { codes: readonly string[]; label: string; fileName: string }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <ul className={`${styles.codes} mono`} aria-label={label}>
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.row}>
        <CopyButton text={text} />
        <Button icon={<Download {...icon} />} onPress={() => download(text, fileName)}>
          Download
        </Button>
      </div>
    </>
  );
}

const download = (text: string, fileName: string) => saveFile(new Blob([text], { type: 'text/plain' }), fileName);

export interface Rule {
  id: string;
  text: string;
  state: 'neutral' | 'error' | 'valid';
}

const marks = {
  neutral: { Icon: Circle, word: '' },
  error: { Icon: CircleX, word: 'not met' },
  valid: { Icon: CircleCheck, word: 'met' },
} as const;

/** Rules that turn from neutral to error or valid while something is typed. */
export function RuleList({ label, rules }: { label: string; rules: readonly Rule[] }) {
  return (
    <ul className={styles.rules} aria-label={label}>
      {rules.map(({ id, text, state }) => {
        const { Icon, word } = marks[state];
        return (
          <li key={id} className={styles.rule} data-state={state}>
            <Icon size={14} strokeWidth={2} aria-hidden="true" />
            {text}
            {word && <span className="visually-hidden"> ({word})</span>}
          </li>
        );
      })}
    </ul>
  );
}
