import { useEffect, useState } from 'react';
import { copyText } from '~/lib/copyText';
import { toast } from './Toast';

/** Copies a text, and says for `ms` which one was copied, by its key; says so where the browser refuses. */
export function useCopied(ms: number): [copied: string | null, copy: (key: string, text: string) => void] {
  const [copied, setCopied] = useState<string | null>(null);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), ms);
    return () => clearTimeout(timer);
  }, [copied, ms]);
  const copy = (key: string, text: string): void => {
    copyText(text).then(
      () => setCopied(key),
      () => toast('Unable to copy', { tone: 'danger' }),
    );
  };
  return [copied, copy];
}
