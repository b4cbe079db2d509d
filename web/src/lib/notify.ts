/**
 * Calls every listener. One that throws costs no other its turn, and the caller nothing: its error is thrown on its own,
 * where the page reports it.
 */
export function notify<A extends unknown[]>(listeners: Iterable<(...args: A) => void>, ...args: A): void {
  for (const listener of [...listeners]) {
    try {
      listener(...args);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
