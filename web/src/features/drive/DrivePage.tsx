import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { localStore } from '~/lib/storage';
import { unitOfLanguage } from '~/model/aheadWords';
import { setTitle, useBrand } from '~/session';
import { type Access, askAccess, keyFor, storeKey } from './alertSource';
import { Driving } from './Driving';
import { type Drive, startDrive } from './drive';
import styles from './drive.module.css';
import { StartScreen } from './StartScreen';
import { unlockVoice } from './voice';

/** /drive/{org}: a phone in a holder at the windshield. It shows and says what lies ahead. */
export function DrivePage() {
  const { organization = '' } = useParams({ strict: false });
  const { name: brand } = useBrand();
  const [key, setKey] = useState(() => keyFor(organization, localStore()));
  const { access, askAgain } = useAccess(organization, key);
  const [drive, setDrive] = useState<Drive>();
  const unit = unitOfLanguage(navigator.language);
  useEffect(() => setTitle(`Driver alerts · ${brand}`), [brand]);
  useEffect(() => () => drive?.stop(), [drive]);

  const takeKey = (text: string) => {
    storeKey(organization, text, localStore());
    setKey(text);
    askAgain();
  };
  const start = () => {
    unlockVoice();
    setDrive(startDrive({ organization, key }, unit, false));
  };
  const stop = () => {
    setDrive(undefined);
    askAgain();
  };
  return (
    <main className={styles.page}>
      <link rel="manifest" href="/drive.webmanifest" />
      <link rel="apple-touch-icon" href="/drive-192.png" />
      {drive ? (
        <Driving drive={drive} unit={unit} onStop={stop} />
      ) : (
        <StartScreen
          brand={brand}
          access={access}
          hasKey={key !== ''}
          unit={unit}
          onStart={start}
          onKey={takeKey}
          onRetry={askAgain}
        />
      )}
    </main>
  );
}

/** What the server says of this way; undefined while it is asked. */
function useAccess(organization: string, key: string): { access: Access | undefined; askAgain: () => void } {
  const [asked, setAsked] = useState(0);
  const [access, setAccess] = useState<Access>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` asks again
  useEffect(() => {
    const call = new AbortController();
    setAccess(undefined);
    void askAccess({ organization, key }, (...args) => globalThis.fetch(...args), call.signal).then(answer => {
      if (!call.signal.aborted) setAccess(answer);
    });
    return () => call.abort();
  }, [organization, key, asked]);
  return { access, askAgain: () => setAsked(count => count + 1) };
}
