import { expect, it } from 'vitest';
import type { WireMessage } from '~/api';
import { defaultFilter } from '~/model/filter';
import { LiveStore } from './store';
import { pointAt, rowAt, seeded, T0 } from './testing';

const MOVING = 2000;
const FEW = 10_000;
const MANY = 100_000;
const STATUSES = ['active', 'standby', 'stationary', 'pending', 'offline'] as const;
const WIRE = ['active_location', 'active', 'standby', 'stationary'] as const;

/** How much more a flush may cost with ten times the assets: what is walked through whole is a few numbers each. */
const MOST = 4;

/** A fleet of so many assets, and a flush of those of them that move. */
function fleet(assets: number) {
  const random = seeded(1);
  const store = new LiveStore(defaultFilter(true));
  store.reset('org-1');
  for (let from = 0; from < assets; from += 500) {
    const rows = Array.from({ length: 500 }, (_, i) =>
      rowAt(`id-${from + i}`, 0, {
        nickname: `Unit ${Math.floor(random() * 1e6)}`,
        status: STATUSES[Math.floor(random() * STATUSES.length)] ?? 'offline',
      }),
    );
    store.applyRows(rows, T0, T0, true);
  }
  const heard = [...store.visibleIds()].filter(id => (store.thing(id)?.status ?? 9) < WIRE.length);
  const flushOf = (ms: number): WireMessage[] =>
    Array.from({ length: MOVING }, () => {
      const id = heard[Math.floor(random() * heard.length)] ?? '';
      // One in fifty changes its status as well, and with it its place in the list.
      const status = WIRE.at(random() < 0.02 ? 1 : (store.thing(id)?.status ?? 1)) ?? 'active';
      return pointAt(id, ms, { status });
    });
  const times: number[] = [];
  return {
    store,
    flush(second: number) {
      const messages = flushOf(second * 1000);
      // CPU time of this thread's work: the wall clock of a shared machine says little.
      const start = process.cpuUsage();
      store.applyMessages(messages, T0 + second * 1000);
      times.push(process.cpuUsage(start).user / 1000);
    },
    median: () => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0,
  };
}

it('applies 2,000 movements of 100,000 assets for little more than of 10,000, and keeps the order right', () => {
  const few = fleet(FEW);
  const many = fleet(MANY);
  for (let second = 1; second <= 30; second++) {
    few.flush(second);
    many.flush(second);
  }
  const ratio = many.median() / few.median();
  process.stdout.write(
    `live store: ${MOVING} of ${MANY} assets per flush, median ${many.median().toFixed(1)} ms of CPU, × ${ratio.toFixed(2)} of ${FEW}\n`,
  );
  expect(ratio).toBeLessThan(MOST);
  expect(many.store.getCounts()).toMatchObject({ total: MANY, shown: MANY });
  expect(new Set(many.store.visibleIds()).size).toBe(MANY);
});
