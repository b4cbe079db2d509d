import { useState } from 'react';
import { testSentence } from '~/model/aheadWords';
import type { SpeedUnit } from '~/model/speedUnit';
import { Button } from '~/ui/Button';
import { ErrorNotice, Notice } from '~/ui/ErrorNotice';
import { TextField } from '~/ui/TextField';
import type { Access } from './alertSource';
import styles from './drive.module.css';
import { canSpeak, unlockVoice, Voice } from './voice';

interface Props {
  brand: string;
  access: Access | undefined;
  hasKey: boolean;
  unit: SpeedUnit;
  onStart: () => void;
  onKey: (key: string) => void;
  onRetry: () => void;
}

/** What stands before a drive: what this does, and Start. */
export function StartScreen({ brand, access, hasKey, unit, onStart, onKey, onRetry }: Props) {
  const name = access?.kind === 'open' ? access.name : '';
  return (
    <div className={styles.start}>
      <p className={styles.brand}>
        <span className="light-bar" aria-hidden="true" />
        {brand}
      </p>
      <div>
        <h1>Driver alerts</h1>
        {name && <p className={styles.from}>{name}</p>}
      </div>
      <p className={styles.lead}>
        Put the phone in its holder and press Start. It shows and says what lies ahead on your road: vehicles on scene,
        closed lanes, and hazards.
      </p>
      <Hindrance access={access} onKey={onKey} onRetry={onRetry} />
      <Button
        variant="primary"
        size="large"
        className={styles.big}
        onPress={onStart}
        isDisabled={access?.kind !== 'open'}
        isPending={access === undefined}
      >
        Start
      </Button>
      <TestSentence unit={unit} />
      <p className={styles.hint}>
        Your position is only used to ask for alerts around you, and isn't stored. Keep this page open while you drive.
      </p>
      {hasKey && access !== undefined && (
        <Button variant="ghost" size="large" onPress={() => onKey('')}>
          Forget the key
        </Button>
      )}
    </div>
  );
}

function Hindrance({ access, onKey, onRetry }: Pick<Props, 'access' | 'onKey' | 'onRetry'>) {
  if (access?.kind === 'failed')
    return <ErrorNotice onRetry={onRetry}>The server can't be reached. Check your connection.</ErrorNotice>;
  if (access?.kind === 'unknown')
    return <ErrorNotice>There are no driver alerts here. The address may be mistyped.</ErrorNotice>;
  if (access?.kind === 'key') return <KeyForm isRefused={access.refused} onKey={onKey} />;
  return null;
}

/** Alerts that are not public: a key is pasted once, and kept on this phone. */
function KeyForm({ isRefused, onKey }: { isRefused: boolean; onKey: (key: string) => void }) {
  const [text, setText] = useState('');
  const key = text.trim();
  return (
    <form
      className={styles.key}
      onSubmit={event => {
        event.preventDefault();
        if (key) onKey(key);
      }}
    >
      <Notice tone={isRefused ? 'warn' : 'info'}>
        {isRefused
          ? 'This key does not open these alerts. It may have been revoked.'
          : "These alerts aren't public. Paste the key that you got from the organization."}
      </Notice>
      <TextField
        label="Key"
        value={text}
        onChange={setText}
        size="large"
        autoComplete="off"
        hint="It stays on this phone."
      />
      <Button type="submit" size="large" className={styles.big} isDisabled={key === ''}>
        Use this key
      </Button>
    </form>
  );
}

function TestSentence({ unit }: { unit: SpeedUnit }) {
  const [voice] = useState(() => new Voice());
  if (!canSpeak()) return <Notice tone="warn">This browser can't speak. Alerts come with a tone alone.</Notice>;
  const say = () => {
    unlockVoice();
    voice.hush();
    voice.say(testSentence(unit));
  };
  return (
    <Button size="large" className={styles.big} onPress={say}>
      Say a test sentence
    </Button>
  );
}
