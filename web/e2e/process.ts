// The real binary: where it is, and how it is started on a clean data folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A guard against hanging, not a measure: a loaded machine may take long for what a quiet one does at once. */
export const PATIENCE_MS = 60_000;

/** Waits until check gives a value, looking again every 50 ms; says what it waited for when time is up. */
export async function until<T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  ms = PATIENCE_MS,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value as T;
    if (Date.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** Where the binary under test is. */
export function binary(): string {
  const path = process.env.LIGHTBAR_BINARY ?? join(dirname(fileURLToPath(import.meta.url)), '../../bin/lightbar');
  if (!existsSync(path)) throw new Error(`no binary at ${path}: run make build, or set LIGHTBAR_BINARY`);
  return path;
}

export interface Process {
  url: string;
  data: string;
  log: () => string;
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/**
 * Starts a command of the binary that serves; ready when it says so. `options.data` is kept at the end, a folder of our
 * own is not; `options.map` is the folder map/ of another one, which servers only read; `options.env` is added to ours.
 */
export async function start(
  command: string,
  flags: readonly string[],
  options: { data?: string; map?: string | undefined; env?: Readonly<Record<string, string>> } = {},
): Promise<Process> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'lightbar-e2e-'));
  const map = join(data, 'map');
  if (options.map && !existsSync(map)) symlinkSync(options.map, map);
  const args = [command, '--data', data, '--listen', 'localhost:0', ...flags];
  const child: ChildProcess = spawn(binary(), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  });
  let log = '';
  const keep = (chunk: Buffer) => {
    log += chunk.toString();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  let exit: number | null | undefined;
  const ended = new Promise<number | null>(resolve => {
    child.on('exit', code => {
      exit = code;
      resolve(code);
    });
  });
  const url = await until(
    `${command} to be ready`,
    async () => {
      if (exit !== undefined) throw new Error(`the server ended with ${exit}:\n${log}`);
      // The system chooses the port, so that nobody else can have it; the log says which.
      const address = / msg=serving url=(\S+) /.exec(log)?.[1];
      if (!address) return false;
      const isReady = await fetch(`${address}/readyz`).then(
        answer => answer.ok,
        () => false,
      );
      return isReady && address;
    },
    120_000,
  );
  return {
    url,
    data,
    log: () => log,
    stop: async (signal = 'SIGTERM') => {
      if (exit === undefined) child.kill(signal);
      const code = await ended;
      if (!options.data) rmSync(data, { recursive: true, force: true });
      return code;
    },
  };
}
