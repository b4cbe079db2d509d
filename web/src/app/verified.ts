/** How a step-up at the identity provider has ended: well, or with a code of the catalog. */
export type Verdict = { problem?: string | undefined };

const NAME = 'lightbar.verified';

/** Tells the other windows of this browser; the opener itself is out of reach (Cross-Origin-Opener-Policy). */
export function tellVerdict(verdict: Verdict): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(verdict);
  channel.close();
}

/** Hears of ends until it is stopped. A message is a hint: the server says whether it is true. */
export function hearVerdicts(listener: (verdict: Verdict) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = (event: MessageEvent<Verdict>) => listener(event.data);
  return () => channel.close();
}
