import limits from '@catalog/limits.json';
import { api } from '~/api';
import { createStore } from '~/lib/store';

const FIRST_MS = limits.session.versionFirstMs.value;
const POLL_MS = limits.session.versionPollMs.value;

/** The version that this page was loaded from, once it is known. */
export const runningVersion = createStore('');

/** True once the server runs another version than it did when this page was loaded. */
export const updateWaits = createStore(false);

/** Asks for the server's version after 10 s and then every 10 min (requirements 4.version). Returns the way to stop. */
export function watchVersion(): () => void {
  let known: string | undefined;
  let timer: ReturnType<typeof setTimeout>;
  const look = async () => {
    // A bare object, unlike other answers (requirements 7.other). No answer is no news.
    const version = await api.request('GET /version', { auth: false }).then(
      answer => answer.version,
      () => undefined,
    );
    if (version !== undefined && known !== undefined && version !== known) {
      updateWaits.set(true);
      return;
    }
    if (known === undefined && version !== undefined) {
      known = version;
      runningVersion.set(version);
    }
    timer = setTimeout(look, POLL_MS);
  };
  timer = setTimeout(look, FIRST_MS);
  return () => clearTimeout(timer);
}
