import { describe, expect, it } from 'vitest';
import { entryOf, named, sentenceOf } from './entry';

const wire = {
  id: 'a',
  at: '2026-11-21T10:00:00.000Z',
  actor: { id: 'u', name: 'Dana Moore', kind: 'user' as const },
  organization_id: 'o',
  network: '192.0.2.1',
  verb: 'update',
  noun: 'thing',
  noun_id: 't',
  before: { nickname: 'Engine 1', version: 1, relations: null, in_service: true },
  after: { nickname: 'Engine 2', version: 2, relations: [{ kind: 'manager' }], in_service: true },
  request_id: 'r',
  sealed: true,
};

describe('an audit entry', () => {
  it('shows the fields that differ, and neither the others nor the version', () => {
    const entry = entryOf(wire);
    expect(entry.changes).toEqual([
      { field: 'nickname', before: 'Engine 1', after: 'Engine 2' },
      { field: 'relations', before: '', after: '[{"kind":"manager"}]' },
    ]);
    expect([entry.who, entry.subject, entry.at]).toEqual(['Dana Moore', 'Engine 2', Date.UTC(2026, 10, 21, 10)]);
  });

  it('names the assets that were registered at once', () => {
    const things = [
      { id: 't1', haas_id: 'HA7-1' },
      { id: 't2', haas_id: 'HA7-2' },
    ];
    const entry = entryOf({ ...wire, verb: 'register', noun_id: '', before: null, after: { count: 2, things } });
    expect(sentenceOf(entry)).toBe('Registered assets');
    expect(entry.changes).toEqual([
      { field: 'count', before: '', after: '2' },
      { field: 'things', before: '', after: 'HA7-1, HA7-2' },
    ]);
  });

  it('takes documents of any shape', () => {
    for (const before of [null, undefined, 7, 'text', [1], {}])
      expect(entryOf({ ...wire, before, after: null }).changes).toEqual([]);
    expect(entryOf({ ...wire, actor: { id: '', name: '', kind: 'system' } }).who).toBe('Server');
  });

  it('names types, roles and organizations in place of their ids', () => {
    const id = '01a1fd8c-6900-7000-8000-000000000001';
    expect(named(id, [{ id, name: 'Harbor County' }])).toBe('Harbor County');
    expect(named('01900000-0000-7000-8000-300000000001', [])).toBe('Viewer');
    expect(named('01900000-0000-7000-8000-100000000001', [])).not.toContain('-');
    expect(named(id, [])).toBe(id);
  });

  it('is said in words, known or not', () => {
    expect(sentenceOf({ verb: 'create', noun: 'user' })).toBe('Added user');
    expect(sentenceOf({ verb: 'revoke', noun: 'key' })).toBe('Revoked API key');
    expect(sentenceOf({ verb: 'sign_in', noun: 'user' })).toBe('Signed in');
    expect(sentenceOf({ verb: 'undo', noun: 'import' })).toBe('Undid an asset import');
    expect(sentenceOf({ verb: 'mail', noun: 'monthly_report' })).toBe('Was emailed a monthly report');
    expect(sentenceOf({ verb: 'look', noun: 'things' })).toBe('Viewed things');
    expect(sentenceOf({ verb: 'transfer', noun: 'thing' })).toBe('Transferred asset');
    expect(sentenceOf({ verb: 'rename', noun: 'saved_view' })).toBe('Renamed saved view');
  });
});
