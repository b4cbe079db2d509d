import errors from '@catalog/errors.json';
import { describe, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { failureOf } from '~/api/failure';
import { firstOf, recorded, recordingsOf, replayed, streamed, vary } from '~/api/recorded';
import { locationOfWire } from '~/model/location';
import { headOfSnapshot, thingOfRow } from '~/model/snapshot';
import { thingOfWire } from '~/model/thing';
import { profileOf } from '~/session/profile';
import { Collection } from './collection';
import { parseFrame } from './frame';
import { NOUNS } from './nouns';
import { Picture } from './picture';
import { mergeRows, reduceMessages } from './reduce';
import { RowsLoader } from './rowsLoader';

const NOW = Date.parse('2026-11-21T19:00:01.000Z');

const FIELD: Record<string, string> = { point: 'live', heartbeat: 'live', admin: 'thing' };

/** Values of other kinds than that of a recorded one. Of what is null the kind does not show. */
function otherThan(value: unknown): unknown[] {
  if (value === null) return [];
  if (Array.isArray(value)) return ['all', 5, { of: value }, ...(value.length > 0 ? [[...value, true]] : [])];
  return typeof value === 'string' ? [7, [value]] : ['x', [value]];
}

describe('what the server has said on the stream', () => {
  const frames = recordingsOf('stream').filter(name => !name.startsWith('sent'));
  // Exports and monthly reports are no part of the picture: their screens ask how far they are.
  const types = ['point', 'heartbeat', 'thing', 'admin', 'export', 'report', ...Object.keys(NOUNS)];
  const messages = frames.filter(name => types.includes(name.split('.')[0] ?? ''));

  it.each(frames.filter(name => !messages.includes(name)))('is understood: %s', name => {
    const frame = parseFrame(JSON.stringify(streamed(name as 'batch')));
    expect(frame.type).not.toBe('unknown');
    if (frame.type !== 'data') return;
    const sent = name.startsWith('batch') ? streamed(name as 'batch').messages.length : 1;
    expect(frame.messages).toHaveLength(sent);
    expect(frame.position).toBeDefined();
  });

  // spec: 7.stream.03
  it.each(messages)('is taken into the picture: %s', name => {
    const message = streamed(name as 'point.moving');
    const frame = parseFrame(JSON.stringify({ ...streamed('message'), message }));
    expect(frame).toMatchObject({ type: 'data', messages: [message] });
  });

  // spec: 5.data.02
  it.each(messages)('costs itself alone with a field of another kind: %s', name => {
    const message = streamed(name as 'closure.edited');
    const { [message.type]: field = message.type } = FIELD;
    const row = (message as unknown as Record<string, object>)[field];
    const good = streamed('point.moving');
    for (const [key, value] of Object.entries(row ?? {})) {
      for (const odd of otherThan(value)) {
        const both = [{ ...message, [field]: { ...row, [key]: odd } }, good];
        const batch = { ...streamed('batch'), messages: both.map((one, offset) => ({ offset, message: one })) };
        const frame = parseFrame(JSON.stringify(batch));
        expect(frame, `${key}: ${JSON.stringify(odd)}`).toMatchObject({ type: 'data', messages: [good] });
      }
    }
  });

  it('makes the picture that the list shows', () => {
    const played = new Picture();
    const rows = recorded('listThings.ok').data;
    mergeRows(played, rows, NOW - 1, NOW);
    const listed = rows.map(row => row.id);
    const edited = streamed('thing.edited').thing;
    reduceMessages(played, [streamed('thing.edited')], NOW);
    expect(played.things.get(edited.id)).toEqual(thingOfWire(edited, NOW));
    reduceMessages(played, [streamed('message').message], NOW);
    expect(played.things.size).toBe(new Set([...listed, edited.id]).size + 1);
    reduceMessages(played, [streamed('admin.removed')], NOW);
    expect(played.things.size).toBe(new Set([...listed, edited.id]).size);
  });
});

describe('commands to devices', () => {
  const told = (name: 'command.accepted' | 'command.sent' | 'command.delivered') => streamed(name);

  it('are heard alone: no list has those of all assets', async () => {
    const commands = new Collection(NOUNS.command);
    const get = vi.fn();
    const { signal } = new AbortController();
    const loader = new RowsLoader(commands as never, {
      get,
      now: () => NOW,
      organizationId: 'o1',
      isAnyOnScene: () => false,
      signal,
    });
    commands.hear([told('command.accepted')], NOW);
    await loader.read('all');
    await loader.read('changes');
    expect(get).not.toHaveBeenCalled();
    expect(commands.list().map(({ status }) => status)).toEqual(['accepted']);
  });

  it('never go back', () => {
    const commands = new Collection(NOUNS.command);
    const { id } = told('command.delivered').command;
    for (const name of ['command.accepted', 'command.delivered', 'command.sent'] as const)
      commands.hear([told(name)], NOW);
    expect(commands.get(id)?.status).toBe('delivered');
  });
});

// spec: 7.area.02 7.closure.01 7.zone.01 D.wire.05
it.each(['area', 'closure', 'hazard', 'zone'] as const)(
  '%ss are read of the organization, and then what changed',
  async type => {
    const asked: [string, Record<string, unknown>][] = [];
    const loader = new RowsLoader(new Collection(NOUNS[type] as never), {
      get: (async (path: string, query: Record<string, unknown>) => {
        asked.push([path, query]);
        return { data: [], meta: recorded('listAreas.ok').meta };
      }) as never,
      now: () => NOW,
      organizationId: 'o1',
      isAnyOnScene: () => false,
      signal: new AbortController().signal,
    });
    await loader.read('all');
    await loader.read('changes');
    const path = {
      area: '/organization/exclusion_zone',
      closure: '/organization/closure',
      hazard: '/organization/hazards',
      zone: '/organization/alerting_zones',
    }[type];
    expect(asked).toMatchObject([
      [path, { 'org_ids[]': ['o1'], last_updated_timestamp: undefined }],
      [path, { 'org_ids[]': ['o1'], last_updated_timestamp: recorded('listAreas.ok').meta.as_of }],
    ]);
  },
);

describe('findings of the watchdog', () => {
  const page = recorded('listFindings.open');
  const open = firstOf(page.data);
  const told = (name: 'finding.trial' | 'finding.ended') => streamed(name);

  /** A list that holds these, a page at a time. */
  function reader(rows: readonly Schemas['Finding'][]) {
    const asked: Record<string, unknown>[] = [];
    const findings = new Collection(NOUNS.finding);
    const loader = new RowsLoader(findings as never, {
      get: (async (_: string, query: Record<string, unknown>) => {
        asked.push(query);
        const at = Number(query.page) - 1;
        return { data: rows.slice(at, at + 1), meta: { ...page.meta, total: rows.length } };
      }) as never,
      now: () => NOW,
      organizationId: 'o1',
      isAnyOnScene: () => false,
      signal: new AbortController().signal,
    });
    return { asked, findings, loader };
  }

  it('are read whole each time: the list cannot say what has ended', async () => {
    const { asked, findings, loader } = reader([open, vary(open, { id: 'f2' })]);
    await loader.read('all');
    expect(findings.list()).toHaveLength(2);
    await loader.read('changes');
    for (const query of asked) expect(query).toMatchObject({ state: 'open', last_updated_timestamp: undefined });
    expect(new Set(asked.map(({ page: number }) => number))).toEqual(new Set([1, 2]));
  });

  it('go when the list lacks them, but for what was heard to have ended', async () => {
    const { findings, loader } = reader([open]);
    findings.hear([told('finding.trial')], NOW - 2);
    findings.merge([vary(open, { id: 'f2' })], NOW - 2, NOW - 2);
    findings.hear([told('finding.ended')], NOW - 1);
    await loader.read('all');
    expect(findings.list().map(({ id }) => id)).toEqual([open.id, told('finding.ended').finding.id]);
    expect(findings.goneAt('f2')).toBeGreaterThan(0);
  });

  it('that have ended are never told to be open again', () => {
    const { findings } = reader([]);
    for (const name of ['finding.ended', 'finding.trial'] as const) findings.hear([told(name)], NOW);
    expect(findings.list().map(({ endedAt }) => endedAt > 0)).toEqual([true]);
  });
});

describe('what the server has answered', () => {
  it('says the same of an asset in the list and in the snapshot', () => {
    const listed = new Map(recorded('listThings.ok').data.map(row => [row.id, thingOfWire(row, NOW)]));
    const snapshot = recorded('snapshotThings.ok').data;
    const { texts } = headOfSnapshot(snapshot);
    const compact = snapshot.id.map((_, i) => thingOfRow(snapshot, i, texts, undefined));
    expect(compact.map(thing => thing.id).sort()).toEqual([...listed.keys()].sort());
    for (const thing of compact) {
      const { id, haasId, nickname, organization, thingTypeId, hasPosition, inService, isR2REnabled } = thing;
      const said = { id, haasId, nickname, organization, thingTypeId, hasPosition, inService, isR2REnabled };
      expect(listed.get(id)).toMatchObject(said);
    }
  });

  it('names who is at an incident', () => {
    const [incident] = recorded('listActiveLocations.ok').data.map(locationOfWire);
    expect(incident).toMatchObject({ is_active: true, things_active: [{ displayName: 'The ONSCENE', end_time: 0 }] });
    const onScene = thingOfWire(recorded('getThing.onscene').data, NOW);
    expect(onScene.incidentStartAt).toBe(incident?.start_time);
  });

  it.each(['getProfile.ok', 'getProfile.administrator', 'getProfile.awareness', 'getProfile.provider'] as const)(
    'is a profile: %s',
    name => {
      const wire = recorded(name).data;
      const profile = profileOf(wire);
      expect(profile.organizations[0].name).toBe(wire.organization.name);
      expect(profile.sections).toEqual(wire.user.dashboard_access);
      expect(profile.awareness).toBe(name === 'getProfile.awareness');
      expect(profile.stepUpProvider !== undefined).toBe(name === 'getProfile.provider');
    },
  );

  it.each(recordingsOf('http'))('is read with its code, its sentence and its fields: %s', async name => {
    const answer = replayed(name as 'getProfile.ok');
    if (answer.status < 400 || !answer.headers.get('Content-Type')?.startsWith('application/json')) return;
    const body = await answer.json();
    const failure = failureOf(answer.status, body, answer.headers);
    expect(Object.keys(errors)).toContain(failure.code);
    expect(failure.message).not.toBe('');
    expect(failure.fields).toEqual(body.fields ?? {});
    expect(failure.current).toEqual(body.current);
  });
});
