// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Schemas } from '~/api';
import { firstOf, recorded, refused, streamed, vary } from '~/api/recorded';
import { liveStore, streamStore } from '~/live';
import { T0 } from '~/live/testing';
import { ADMIN, all, answer, choose, find, press, type Stage, says, see, signIn, stage, text, type } from './testing';

const TAB = '/dashboard/accounts/watchdog';
const SETTINGS = '/organization/watchdog';
const LIST = 'GET /organization/findings';
const settings = recorded('getWatchdog.ok').data;
const one = firstOf(recorded('listFindings.ok').data);
const ASSET = '01a1fd8c-6900-7000-8000-0000000000aa';
const MINUTE = 60_000;

const at = (ms: number) => new Date(T0 + ms).toISOString();
const finding = (over: Partial<Schemas['Finding']> = {}) =>
  vary(one, {
    ...{ id: 'f1', rule: 'not_alerting_at_incident', thing_id: ASSET, thing_name: 'Engine 12', organization_id: 'o1' },
    ...{ about: { type: 'incident', id: 'i1', name: 'Market St' }, began_at: at(0), found_at: at(MINUTE) },
    ...{ ended_at: null, trial: false, mailed: [], held: false },
    ...over,
  });

let server: Stage;
let rows: Schemas['Finding'][];
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  liveStore.reset('o1');
  streamStore.patch({ phase: 'live', asOf: T0, failure: undefined });
  rows = [];
  server.answers[`GET ${SETTINGS}`] = answer('getWatchdog.ok');
  // As the server narrows them: open ones and ended ones are asked for by themselves.
  server.answers[LIST] = ({ query }) => {
    const asked = new URLSearchParams(query);
    const isOpen = asked.get('state') === 'open';
    const isWanted = (row: Schemas['Finding']) =>
      (row.ended_at === null) === isOpen && ['', null, row.rule].includes(asked.get('rule'));
    return answer('listFindings.ok', rows.filter(isWanted))();
  };
});
afterEach(() => server.close());

const table = (name: string) => all('table', name)[0]?.textContent ?? '';
const asked = () => server.sent.filter(call => call.path === '/organization/findings').map(call => call.query);

describe('the list', () => {
  it('says in words what is so and what was, what it is about, and who was told', async () => {
    rows = [
      finding(),
      finding({ id: 'f2', rule: 'alerting_at_station', trial: true, about: null, thing_name: 'Medic 7' }),
      finding({ id: 'f3', thing_name: 'Ladder 3', held: true }),
      finding({
        ...{ id: 'f4', thing_name: 'Tender 4', ended_at: at(8 * MINUTE) },
        mailed: ['Dana Moore', 'Max Lee', 'Ann Day', 'Joe Fox'].map((name, i) => ({
          user_id: `u${i}`,
          name,
          at: at(0),
        })),
      }),
    ];
    server.answers[`GET ${SETTINGS}`] = answer('getWatchdog.ok', { quiet_from: '22:00', quiet_to: '06:00' });
    await server.open(TAB, 'Ladder 3');
    await says('Tender 4');
    expect(table('Open')).toMatch(/Engine 12 is at an incident and its lights are off, since .*Incident: Market St/);
    expect(table('Open')).toMatch(/Medic 7 is at a station and its lights are on.*Would have told.*Nobody: on trial/);
    await see(() => expect(table('Open')).toContain('Will be mailed at 6:00 AM'));
    expect(table('Ended')).toMatch(/Tender 4 was at an incident and its lights were off, .* to .*Dana Moore, Max Lee/);
    expect(text()).toContain('No mail from 10:00 PM to 6:00 AM.');
    expect(all('a', 'Engine 12')[0]?.getAttribute('href')).toBe(`/dashboard/things/${ASSET}`);
    await press('and 2 more', 'button');
    await says('Joe Fox');
  });

  it('leads only to what the user has a screen for', async () => {
    rows = [finding()];
    signIn(['user:read', 'thing:read']);
    await server.open(TAB, 'Market St');
    expect(all('table a', 'Incident')).toEqual([]);
    signIn(ADMIN);
    const { state } = (await import('~/session')).session;
    state.set(now =>
      now.phase === 'signedIn'
        ? { ...now, profile: { ...now.profile, sections: ['things', 'events', 'accounts'] } }
        : now,
    );
    await see(() =>
      expect(all('table a', 'Incident').map(link => link.getAttribute('href'))).toEqual(['/dashboard/events/i1']),
    );
  });

  it('says what the watchdog does before it has found anything', async () => {
    await server.open(TAB, 'Nothing found yet.');
    expect(text()).toContain('alert and should not, within 2 minutes.');
    expect(all('section', 'Ended')).toEqual([]);
  });

  it('hears of what is found and of its end without being opened anew', async () => {
    await server.open(TAB, 'Nothing found yet.');
    const tell = (row: Schemas['Finding']) => {
      liveStore.of('finding').hear([vary(streamed('finding.mailed'), { finding: row })], T0);
      liveStore.of('finding').tell();
    };
    tell(finding());
    await see(() => expect(table('Open')).toContain('Engine 12 is at an incident'));
    tell(finding({ ended_at: at(5 * MINUTE) }));
    await see(() => expect(table('Ended')).toContain('Engine 12 was at an incident'));
    expect(text()).toContain('Nothing is open.');
  });

  it('asks again for what the picture has let go', async () => {
    rows = [finding()];
    await server.open(TAB, 'Engine 12');
    rows = [finding({ ended_at: at(5 * MINUTE) })];
    liveStore.of('finding').lack(['f1'], T0);
    liveStore.of('finding').hear([vary(streamed('finding.mailed'), { finding: finding({ id: 'f9' }) })], T0);
    liveStore.of('finding').tell();
    await see(() => expect(table('Ended')).toContain('Engine 12 was at an incident'));
  });

  it('is narrowed by rule and asset, which the address keeps', async () => {
    rows = [finding(), finding({ id: 'f2', rule: 'alerting_at_station', thing_name: 'Medic 7' })];
    const router = await server.open(TAB, 'Medic 7');
    await choose('Rule', 'Lights on at a station');
    await see(() => expect(router.state.location.search).toEqual({ rule: 'alerting_at_station' }));
    await see(() => expect(table('Open')).not.toContain('Engine 12'));
    expect(asked().some(query => query.includes('rule=alerting_at_station'))).toBe(true);
    await choose('Asset', 'Medic 7');
    await see(() => expect(router.state.location.search).toMatchObject({ asset: ASSET }));
    rows = [];
    await choose('Rule', 'Lights off on a closure');
    await says('No results found.');
    await press('Show all', 'button');
    await see(() => expect(router.state.location.search).toEqual({}));
  });

  it('takes nothing from an address that no rule and no asset has', async () => {
    rows = [finding()];
    await server.open(`${TAB}?rule=loud&asset=7`, 'Engine 12');
    expect(asked().filter(query => /rule|thing_id/.test(query))).toEqual([]);
  });

  it('says that it cannot be read, and is asked again', async () => {
    const lists = server.answers[LIST];
    server.answers[LIST] = () => refused('updateWatchdog.forbidden');
    await server.open(TAB, 'Retry');
    if (lists) server.answers[LIST] = lists;
    for (const button of all('button', 'Retry')) button.click();
    await says('Nothing found yet.');
  });

  it('is no tab of who may not read assets, and has no settings for who is only let in', async () => {
    signIn(['user:read']);
    await server.open(TAB, 'Sorry, you are not currently authorized');
    expect(all('nav[aria-label=Accounts] a', 'Watchdog')).toEqual([]);
    signIn(ADMIN);
    const { state } = (await import('~/session')).session;
    state.set(now => (now.phase === 'signedIn' ? { ...now, organizationId: 'o3' } : now));
    await says('Nothing found yet.');
    expect(all('a', 'Settings')).toEqual([]);
  });
});

describe('the settings', () => {
  const page = `${TAB}/settings`;
  const rule = (title: string, mode: string) =>
    all('[role=radiogroup]', title)[0]?.querySelectorAll<HTMLElement>('[role=radio]')[
      ['Off', 'Trial', 'On'].indexOf(mode)
    ];

  it('change a rule and the quiet hours, and are taken back', async () => {
    server.answers[`PUT ${SETTINGS}`] = answer('updateWatchdog.ok', { version: settings.version + 1 });
    await server.open(page, 'Lights off at an incident');
    rule('Lights off at an incident', 'On')?.click();
    await type('From', '22:00');
    await press('Save', 'button');
    await says('Enter both times, or neither.');
    expect(server.writes()).toEqual([]);
    await type('To', '06:00');
    await press('Save', 'button');
    await says('Watchdog saved');
    await press('Undo', 'button');
    await says('Change undone');
    const [saved, back] = server.writes();
    expect(saved).toMatchObject({ query: 'organization_id=o1', ifMatch: `"${settings.version}"` });
    expect(saved?.body).toEqual({
      rules: [{ rule: 'not_alerting_at_incident', mode: 'on' }],
      ...{ quiet_from: '22:00', quiet_to: '06:00' },
    });
    expect(back).toMatchObject({ ifMatch: `"${settings.version + 1}"` });
    expect(back?.body?.rules).toContainEqual({ rule: 'not_alerting_at_incident', mode: 'trial' });
    expect(back?.body?.quiet_from).toBe('');
  });

  it('put the sentence of the server at its field', async () => {
    server.answers[`PUT ${SETTINGS}`] = () =>
      refused('updateWatchdog.validation_failed', { fields: { quiet_to: 'Required' } });
    await server.open(page, 'Lights off at an incident');
    rule('Lights off at an incident', 'Off')?.click();
    await press('Save', 'button');
    await says('Required');
  });

  it('mail me at once, and say so where that fails', async () => {
    server.answers[`GET ${SETTINGS}`] = answer('getWatchdog.ok', { mail: false });
    server.answers[`PUT ${SETTINGS}/mail`] = answer('chooseWatchdogMail.ok', { mail: true });
    await server.open(page, 'Mail me');
    const box = () => all('label', 'Mail me')[0]?.querySelector('input');
    box()?.click();
    await says('You will be mailed');
    await see(() => expect(box()?.checked).toBe(true));
    expect(server.writes()).toMatchObject([{ path: `${SETTINGS}/mail`, body: { mail: true } }]);
    server.answers[`PUT ${SETTINGS}/mail`] = () => refused('updateWatchdog.forbidden');
    box()?.click();
    await see(() => expect(server.writes()).toHaveLength(2));
    await see(() => expect(box()?.checked).toBe(true));
  });

  it('are read by who may not change them', async () => {
    signIn(['user:read', 'thing:read']);
    await server.open(page, 'Lights off at an incident');
    expect(all('[role=radiogroup]', '')).toEqual([]);
    expect(all('button', 'Save')).toEqual([]);
    expect(text()).toContain('in the last 7 days');
    await find('label', 'Mail me');
  });
});
