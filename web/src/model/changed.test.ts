import { expect, it } from 'vitest';
import { failureOf } from '~/api/failure';
import { changedText } from './changed';

const NOW = Date.parse('2026-11-21T10:42:07.000Z');
const conflict = (more: Record<string, unknown>) => failureOf(409, { error: 'conflict', ...more }, new Headers());
const at = (ms: number) => new Date(NOW + ms).toISOString();

it.each([
  [{ changed_by: 'Mary Jones', changed_at: at(-150_000) }, 'Mary Jones changed this 2 min ago.'],
  [{ changed_by: 'You', changed_at: at(-1_000) }, 'You changed this just now.'],
  [{ changed_at: at(-3_600_000) }, 'Someone else changed this 1 h ago.'],
  [{ changed_by: 'Mary Jones' }, 'Someone else saved this user since you opened it.'],
  [{}, 'Someone else saved this user since you opened it.'],
  [{ changed_by: 7, changed_at: 'yesterday' }, 'Someone else saved this user since you opened it.'],
])('says of %o: %s', (more, text) => expect(changedText(conflict(more), 'user', NOW)).toBe(text));

it('says of what is no answer that somebody else was faster', () =>
  expect(changedText(new Error('odd'), 'asset', NOW)).toBe('Someone else saved this asset since you opened it.'));
