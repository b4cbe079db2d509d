import { useRef, useState } from 'react';
import { asFailure } from '~/api';
import { fileText } from '~/lib/fileText';

/** A file that somebody has picked. */
export interface PickedFile {
  name: string;
  content: string;
}

/** The calls of an import. */
export interface ImportCalls<Options, Result> {
  /** Why a file is not even read: by its name or size. */
  refuse: (file: File) => string | undefined;
  /** What a new file begins with; `before` is what was chosen for the one before it. */
  begin: (before?: Options) => Options;
  /** What the file would do; with `apply`, the preview that somebody has agreed to, it is done. */
  send: (file: PickedFile, options: Options, apply?: Result) => Promise<Result>;
  say: (error: unknown) => string;
}

/** The steps of every import: pick a file, look at what it would do, choose how it is read, do it. */
export function useImport<Options, Result>({ refuse, begin, send, say }: ImportCalls<Options, Result>) {
  const [options, setOptions] = useState(() => begin());
  const [file, setFile] = useState<PickedFile>();
  const [preview, setPreview] = useState<Result>();
  const [seen, setSeen] = useState<Result>();
  const [done, setDone] = useState<Result>();
  const [failure, setFailure] = useState<string>();
  const [pending, setPending] = useState<'preview' | 'apply'>();
  const turn = useRef(0);
  /** Only the newest answer counts: an option may be changed while the one before it is looked at. */
  const during = async (what: 'preview' | 'apply', work: () => Promise<(() => void) | undefined>) => {
    turn.current += 1;
    const mine = turn.current;
    setPending(what);
    setFailure(undefined);
    const outcome = await work().catch((error: unknown) => () => setFailure(say(error)));
    if (mine !== turn.current) return;
    outcome?.();
    setPending(undefined);
  };
  const look = async (picked: PickedFile, how: Options) => {
    const found = await send(picked, how);
    return () => {
      setPreview(found);
      setSeen(found);
    };
  };
  return {
    options,
    file,
    preview,
    /** The newest preview of this file, also while the next one is made. */
    seen,
    done,
    failure,
    pending,
    pick: (chosen: File) => {
      const how = begin(options);
      setOptions(how);
      setFile(undefined);
      setPreview(undefined);
      setSeen(undefined);
      return during('preview', async () => {
        const refusal = refuse(chosen);
        if (refusal) return () => setFailure(refusal);
        const content = await fileText(chosen).catch(() => undefined);
        if (content === undefined) return () => setFailure("The file can't be read. Choose it again.");
        const picked = { name: chosen.name, content };
        setFile(picked);
        return look(picked, how);
      });
    },
    change: (next: Options) => {
      setOptions(next);
      setPreview(undefined);
      return file && during('preview', () => look(file, next));
    },
    apply: () =>
      during('apply', async () => {
        if (!file) return undefined;
        try {
          const result = await send(file, options, preview);
          return () => {
            setDone(result);
            setPreview(undefined);
          };
        } catch (error) {
          if (asFailure(error).code !== 'import_changed') throw error;
          const show = await look(file, options).catch(() => undefined);
          return () => {
            setFailure(say(error));
            show?.();
          };
        }
      }),
    again: () => {
      setDone(undefined);
      setFile(undefined);
      setSeen(undefined);
    },
  };
}

export type ImportSteps<Options, Result> = ReturnType<typeof useImport<Options, Result>>;
