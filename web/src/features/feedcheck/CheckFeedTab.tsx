import limits from '@catalog/limits.json';
import { FileUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { DropZone } from 'react-aria-components/DropZone';
import { api, say } from '~/api';
import { Button, Card, ErrorNotice, OfficePage, PageHead, Segmented, Spinner, TextField } from '~/ui';
import styles from './feedcheck.module.css';
import { Result } from './Result';
import type { Report } from './report';

const MOST_BYTES = limits.feedCheck.contentBytes.value;
const TOO_LARGE = 'The document is too large. The limit is 10 MB.';
const sources = [
  { id: 'url', label: 'Address' },
  { id: 'content', label: 'Document' },
] as const;

/** Says what is wrong with a feed of work zones, ours or anyone's. */
export default function CheckFeedTab() {
  const [source, setSource] = useState<'url' | 'content'>('url');
  const [url, setUrl] = useState('');
  const [content, setContent] = useState('');
  const [file, setFile] = useState<File>();
  const { state, run, cancel, refuse } = useCheck();
  const isEmpty = source === 'url' ? url.trim() === '' : content === '' && !file;
  const check = async () => {
    if (source === 'url') return run({ url: url.trim() });
    const text = file ? await file.text() : content;
    return new Blob([text]).size > MOST_BYTES ? refuse(TOO_LARGE) : run({ content: text });
  };
  const choose = (chosen: File) => (chosen.size > MOST_BYTES ? refuse(TOO_LARGE) : setFile(chosen));
  return (
    <OfficePage>
      <PageHead
        title="Check a feed"
        sentence="Find errors in any work zone feed, yours or someone else's: WZDx 4.0 to 4.2, CWZ 1.0, or Waze CIFS."
      />
      <Card title="Feed" hint="The feed isn't stored.">
        <form
          className={styles.form}
          onSubmit={event => {
            event.preventDefault();
            if (!isEmpty && !state.isPending) void check();
          }}
        >
          <Segmented label="Where the feed is" value={source} onChange={setSource} options={sources} />
          {source === 'url' ? (
            <TextField
              label="Address"
              type="url"
              value={url}
              onChange={setUrl}
              placeholder="https://example.org/wzdx.geojson"
              hint="Must be a public address."
            />
          ) : (
            <Document
              content={content}
              onContent={setContent}
              file={file}
              onFile={choose}
              onClear={() => setFile(undefined)}
            />
          )}
          <div className={styles.row}>
            <Button type="submit" variant="primary" isDisabled={isEmpty} isPending={state.isPending}>
              Check
            </Button>
            {state.isPending && <Button onPress={cancel}>Cancel</Button>}
            {state.isPending && <Spinner label="Checking the feed" />}
          </div>
          {state.refusal && <ErrorNotice>{state.refusal}</ErrorNotice>}
        </form>
      </Card>
      {state.report && <Result report={state.report} />}
    </OfficePage>
  );
}

interface Check {
  isPending: boolean;
  report?: Report;
  refusal?: string;
}

/** One check at a time; leaving the page cancels it. */
function useCheck() {
  const [state, setState] = useState<Check>({ isPending: false });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (body: { url: string } | { content: string }) => {
    const own = new AbortController();
    running.current = own;
    setState({ isPending: true });
    try {
      const report = await api.data('POST /feeds/check', { body, signal: own.signal });
      if (!own.signal.aborted) setState({ isPending: false, report });
    } catch (error) {
      if (!own.signal.aborted) setState({ isPending: false, refusal: say('feeds.check', error) });
    }
  };
  const cancel = () => {
    running.current?.abort();
    setState({ isPending: false });
  };
  return { state, run, cancel, refuse: (refusal: string) => setState({ isPending: false, refusal }) };
}

interface DocumentProps {
  content: string;
  onContent: (content: string) => void;
  file: File | undefined;
  onFile: (file: File) => void;
  onClear: () => void;
}

/** A document that is pasted, dropped or chosen; a file is not drawn as a text, because it may be long. */
function Document({ content, onContent, file, onFile, onClear }: DocumentProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <DropZone
      className={styles.form ?? ''}
      aria-label="Drop a file here"
      onDrop={event => {
        const dropped = event.items.find(item => item.kind === 'file');
        if (dropped?.kind === 'file') void dropped.getFile().then(onFile);
      }}
    >
      {!file && (
        <TextField
          label="Document"
          rows={8}
          value={content}
          onChange={onContent}
          hint="Paste it, or drop a file here: JSON or XML, up to 10 MB."
        />
      )}
      <div className={styles.row}>
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          aria-label="Feed file"
          accept=".geojson,.json,.xml,application/geo+json,application/json,application/xml,text/xml"
          onChange={event => {
            const chosen = event.target.files?.[0];
            // The same file can be chosen again, changed meanwhile.
            event.target.value = '';
            if (chosen) onFile(chosen);
          }}
        />
        <Button
          icon={<FileUp size={16} strokeWidth={1.75} aria-hidden="true" />}
          onPress={() => input.current?.click()}
        >
          {file ? 'Choose another file' : 'Choose a file'}
        </Button>
        {file && <b>{file.name}</b>}
        {file && <Button onPress={onClear}>Remove</Button>}
      </div>
    </DropZone>
  );
}
