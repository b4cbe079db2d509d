// Organizations and people on a server, made by its command line as an operator makes them.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { binary, type Process, start, until } from './process';

export const PASSWORD = 'Journey#Otter2026';

/** Who may be asked for, and how they are called. */
const PEOPLE = {
  viewer: ['viewer', 'Vera', 'Young'],
  operator: ['operator', 'Omar', 'Reed'],
  manager: ['manager', 'Mia', 'Grant'],
  admin: ['administrator', 'Dana', 'Moore'],
  super: ['super', 'Sam', 'Upton'],
  engineer: ['engineer', 'Eli', 'Nash'],
  /** The administrator of an organization that has nothing to do with the others. */
  outsider: ['administrator', 'Olga', 'Stone'],
} as const;
export type Role = keyof typeof PEOPLE;

/** A server as one file of journeys sees it: with an organization, its people, and a key of its devices. */
export interface Server extends Process {
  organization: string;
  password: string;
  /** An API key that may do everything a key may. */
  key: string;
  email: (role: Role) => string;
  /** Makes somebody's account, where it is not there yet; their address. */
  join: (role: Role) => Promise<string>;
}

/** Runs a command on a server's data folder, also while it serves; what it prints. */
const lightbar = (data: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(binary(), [...args, '--data', data], (error, stdout, stderr) =>
      error ? reject(new Error(`lightbar ${args.join(' ')}: ${stderr || error.message}`)) : resolve(stdout.trim()),
    );
  });

/** Makes an organization that another one manages, if one is named; its id. */
export async function addOrganization(data: string, name: string, manager?: string): Promise<string> {
  const id = await lightbar(data, ['organization', 'create', name, '--wzdx', '--acs', '--stay-signed-in']);
  if (manager) await lightbar(data, ['organization', 'relate', id, manager]);
  return id;
}

/** A key of an organization's devices. */
export async function addKey(data: string, organization: string): Promise<string> {
  const scopes = 'ingest,register,feeds,alerts';
  const said = await lightbar(data, [
    'key',
    'create',
    'Journey fleet',
    '--organization',
    organization,
    '--scope',
    scopes,
  ]);
  return /key: (\S+)/.exec(said)?.[1] ?? '';
}

/** Makes an organization of a file's own on a server. Its people's addresses carry the tag, which no other file has. */
export async function settle(server: Process, tag: string): Promise<Server> {
  const { data } = server;
  const organization = await addOrganization(data, 'Wilmington Fire Dept');
  const email = (role: Role) => `${role}@${tag}.example`;
  const file = join(data, `${tag}.password`);
  writeFileSync(file, PASSWORD, { mode: 0o600 });
  const joined = new Map<Role, Promise<string>>();
  const add = async (role: Role) => {
    const [name, first, last] = PEOPLE[role];
    const of = role === 'outsider' ? await addOrganization(data, 'Unrelated County EMS') : organization;
    const who = ['--first-name', first, '--last-name', last, '--role', name, '--awareness'];
    const args = ['user', 'create', email(role), '--organization', of, ...who, '--password-file', file];
    await lightbar(data, args);
    return email(role);
  };
  return {
    ...server,
    organization,
    password: PASSWORD,
    key: await addKey(data, organization),
    email,
    join: role => {
      const joining = joined.get(role) ?? add(role);
      joined.set(role, joining);
      return joining;
    },
  };
}

/** The server that files share, as something that need not be stopped. */
export function shared(): Process {
  const nothing = 'its log is with the process that has started it';
  return { ...inject('server'), log: () => nothing, stop: async () => 0 };
}

interface Demo {
  organization_id: string;
  api_key: string;
}

/** Starts `lightbar demo`, as make run does, with its moving fleet, but without a history: no journey looks at one. */
export async function startDemo(): Promise<Server> {
  const map = inject('map');
  const region = map ? ['--region', process.env.LIGHTBAR_REGION ?? ''] : [];
  const flags = ['--password', PASSWORD, '--history', '0', ...region];
  const server = await start('demo', flags, { map });
  const file = join(server.data, 'demo.json');
  const demo = await until('demo.json', () => existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as Demo));
  const email = (role: Role) => `${role}@demo.example`;
  return {
    ...server,
    organization: demo.organization_id,
    password: PASSWORD,
    key: demo.api_key,
    email,
    join: async role => email(role),
  };
}
