import { useState } from 'react';
import { say } from '~/api';
import { fileText } from '~/lib/fileText';

const LARGEST = 1_048_576;

/** A file that was looked at, and what it would do. */
export interface CsvPreview<Result> {
  csv: string;
  name: string;
  result: Result;
}

/** The steps of a CSV file: first what it would do, row by row, then that, by the digest of the preview. */
export function useCsvImport<Result extends { digest: string }>(
  send: (csv: string, digest?: string) => Promise<Result>,
) {
  const [done, setDone] = useState<Result>();
  const [preview, setPreview] = useState<CsvPreview<Result>>();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const during = async (work: () => Promise<void>) => {
    setPending(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(say('things.import', error));
    } finally {
      setPending(false);
    }
  };
  const look = (file: File) =>
    during(async () => {
      setPreview(undefined);
      if (file.size > LARGEST) return setFailure('The file is larger than 1 MB. Split it and try again.');
      const csv = await fileText(file);
      setPreview({ csv, name: file.name, result: await send(csv) });
    });
  const apply = ({ csv, result }: CsvPreview<Result>) =>
    during(async () => {
      setDone(await send(csv, result.digest));
      setPreview(undefined);
    });
  return { done, preview, failure, isPending, look, apply, again: () => setDone(undefined) };
}
