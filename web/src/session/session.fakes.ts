import { type AnswerOf, Client, type WireOrganization, type WireProfile, type WireSession } from '~/api';
import { answered, recorded, replayed, vary } from '~/api/recorded';
import { createClock } from '~/lib/clock';
import type { KeyValue } from '~/lib/storage';
import { Session } from './session';
import type { TabMessage, Tabs } from './tabs';

/** Several tabs of one browser: messages are heard by the others, in order; work of one name runs one after another. */
export function tabsOfOneBrowser(): () => Tabs {
  const tabs: ((message: TabMessage) => void)[][] = [];
  const queues = new Map<string, Promise<unknown>>();
  return () => {
    const mine: ((message: TabMessage) => void)[] = [];
    tabs.push(mine);
    return {
      tell(message) {
        for (const other of tabs) if (other !== mine) for (const hear of [...other]) hear(message);
      },
      listen(listener) {
        mine.push(listener);
        return () => void mine.splice(mine.indexOf(listener), 1);
      },
      alone(name, work) {
        const next = (queues.get(name) ?? Promise.resolve()).then(work, work);
        queues.set(name, next);
        return next as ReturnType<typeof work>;
      },
    };
  };
}

export function memoryStorage(): KeyValue & { keys(): string[] } {
  const values = new Map<string, string>();
  return {
    getItem: key => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: key => void values.delete(key),
    keys: () => [...values.keys()],
  };
}

const profileRecorded = () => recorded('getProfile.ok').data;

/** An organization as the server sends it, of fire engines in New York; `more` replaces fields. */
export const wireOrganization = (id: string, more: Partial<WireOrganization> = {}): WireOrganization =>
  vary(profileRecorded().organization, {
    id,
    name: `Organization ${id}`,
    timezone: 'America/New_York',
    organization_type: { id: 't1', name: 'fire', acs: true },
    organization_managers: [],
    organization_accessors: [],
    show_infinite_timeout_option: false,
    is_wzdx_org: false,
    responders_type: 'some',
    lat: null,
    lng: null,
    ...more,
  });

/** A profile whose own organization and session say more. */
export function profileWith(
  organization: Partial<WireOrganization>,
  session: Partial<WireSession> = {},
  user: Partial<WireProfile['user']> = {},
): WireProfile {
  const profile = wireProfile(user);
  profile.organization = wireOrganization('o1', organization);
  profile.session = { ...profile.session, ...session };
  return profile;
}

export function wireProfile(more: Partial<WireProfile['user']> = {}): WireProfile {
  const { user, session } = profileRecorded();
  return {
    user: vary(user, {
      id: 'u1',
      email: 'dana@fire.example',
      firstname: 'Dana',
      lastname: 'Moore',
      organization_id: 'o1',
      role_id: 'r1',
      permissions: ['thing:read'],
      dashboard_access: ['things'],
      acs: true,
      has_awareness_mode_access: false,
      password_expires_at: null,
      ...more,
    }),
    organization: wireOrganization('o1'),
    managed_organizations: [wireOrganization('o2')],
    accessed_organizations: [],
    session: vary(session, { ends_at: null }),
  };
}

/** A server that answers the calls of the session; tests set what it says. */
export function fakeServer() {
  const calls: { path: string; body: Record<string, unknown> | undefined; token: string | null }[] = [];
  let issued = 0;
  const server = {
    calls,
    /** Seconds. */
    lifetime: 14_400,
    profile: (): Response | Promise<Response> => answered('getProfile.ok', wireProfile()),
    token: (_body: Record<string, unknown>): Response | Promise<Response> =>
      answered('createUserToken.cookie', server.grant()),
    down: false,
    /** What other paths answer. */
    others: new Map<string, () => Response>(),
    grant(): AnswerOf<'POST /user_token'> {
      issued += 1;
      return vary(recorded('createUserToken.cookie'), {
        access_token: `access-${issued}`,
        expires_in: server.lifetime,
        created_at: Math.floor(Date.now() / 1000),
      });
    },
    count: (path: string) => calls.filter(call => call.path === path).length,
    fetch: async (url: unknown, init?: RequestInit): Promise<Response> => {
      const path = String(url).replace('/api', '');
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
      calls.push({ path, body, token: new Headers(init?.headers).get('Authorization') });
      if (server.down) throw new TypeError('fetch failed');
      if (path === '/user_token') return server.token(body);
      if (path === '/profile') return server.profile();
      return server.others.get(path)?.() ?? replayed('endSession.ok');
    },
  };
  return server;
}

export type FakeServer = ReturnType<typeof fakeServer>;

/** A session, the client that it lends its token to, and a page that can be used. */
export type Tab = Session & { api: Client; click: () => void };

/** A tab with a session of its own; tabs that share `tabs` and `storage` are of one browser. */
export function openTab(server: FakeServer, parts: { tabs: Tabs; storage: KeyValue }): Tab {
  const clock = createClock(() => Date.now());
  const api = new Client({ base: '/api', fetch: server.fetch as typeof fetch, clock });
  const page = new EventTarget();
  const session = new Session({ api, clock, now: () => Date.now(), page: page as Document, ...parts });
  return Object.assign(session, { api, click: () => page.dispatchEvent(new Event('click')) });
}
