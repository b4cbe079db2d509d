/** Keeps the screen on while this runs. `tell` hears whether it does. Returns the way to let go. */
export function keepAwake(tell: (isHeld: boolean) => void): () => void {
  let lock: WakeLockSentinel | undefined;
  let isOver = false;
  const hold = async () => {
    if (isOver || document.visibilityState !== 'visible' || (lock && !lock.released)) return;
    try {
      // Not in every browser, and only where the page came over TLS.
      if (!navigator.wakeLock) throw new TypeError('no wake lock');
      lock = await navigator.wakeLock.request('screen');
      if (isOver) void lock.release();
      else tell(true);
    } catch {
      if (!isOver) tell(false);
    }
  };
  // A browser lets go by itself when the page is hidden.
  const seen = () => void hold();
  document.addEventListener('visibilitychange', seen);
  void hold();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', seen);
    void lock?.release().catch(() => undefined);
  };
}
