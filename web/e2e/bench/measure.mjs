// What the benchmarks of pages measure with: tasks of the main thread, its processor's time, searches.
export const MB = 1024 * 1024;
/** What a search field waits after the last key. */
export const DEBOUNCE_MS = 350;
export const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
export const say = text => process.stderr.write(`${text}\n`);
export const p95 = values => [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;
export const median = values => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Reads the time of the main thread's processor, in ms. */
export async function threadOf(cdp) {
  await cdp.send('Performance.enable');
  return async () =>
    1000 * ((await cdp.send('Performance.getMetrics')).metrics.find(m => m.name === 'ThreadTime')?.value ?? 0);
}

/**
 * In the page: types a search; answers the time from the end of the debounce until the rows stand in the document, and
 * until the frame with them, which waits for the software that draws the map.
 */
export function searchFor([label, text, debounce]) {
  return new Promise(resolve => {
    const grid = document.querySelector(`[role=treegrid][aria-label=${label}]`);
    const box = document.querySelector('input[type=search]');
    const began = performance.now();
    const observer = new MutationObserver(() => {
      observer.disconnect();
      const since = () => performance.now() - began - debounce;
      const rows = Number(grid.getAttribute('aria-rowcount'));
      const ms = since();
      requestAnimationFrame(() => setTimeout(() => resolve({ ms, frame: since(), rows })));
    });
    observer.observe(grid, { attributes: true, attributeFilter: ['aria-rowcount'] });
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, text);
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    setTimeout(() => resolve({ ms: Number.NaN, frame: Number.NaN, rows: -1 }), 10_000);
  });
}

/** Tasks of the page's main thread in a trace, in ms of its processor, the longest first. */
export function tasksOf(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const mains = traceEvents.filter(e => e.name === 'thread_name' && e.args?.name === 'CrRendererMain');
  let best = [];
  let sum = -1;
  for (const { pid, tid } of mains) {
    const tasks = traceEvents
      .filter(e => e.pid === pid && e.tid === tid && e.ph === 'X' && e.name === 'RunTask')
      .map(e => ({ ms: (e.tdur ?? 0) / 1000, wall: (e.dur ?? 0) / 1000 }));
    const total = tasks.reduce((s, t) => s + t.ms, 0);
    if (total > sum) [best, sum] = [tasks, total];
  }
  best.sort((a, b) => b.ms - a.ms);
  return {
    worst: best[0]?.ms ?? 0,
    wall: Math.max(0, ...best.map(t => t.wall)),
    top: best.slice(0, 6).map(t => Math.round(t.ms)),
    sum,
  };
}

export const CATEGORIES = ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'];
