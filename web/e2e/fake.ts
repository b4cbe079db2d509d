// A Geotab, or a Samsara, that a journey may ask: the fake that the server's own tests use, as a program beside the journey.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './process';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** What a device of the fake is; what is left out is not said. */
interface Device {
  ID: string;
  Name: string;
  VIN?: string;
  Serial?: string;
  Plate?: string;
}

interface Order {
  device?: Device;
  log?: { id: string; Lat: number; Lng: number; KMH: number };
  /** the user's password is another one from now on */
  revoke?: boolean;
  /** of Samsara */
  truck?: Device;
  gps?: { id: string; Lat: number; Lng: number; MPH: number };
  aux?: { id: string; name: string; on: boolean };
}

export interface Fake {
  server: string;
  database: string;
  user: string;
  password: string;
  /** the file of the certificate that who asks it has to trust */
  certificate: string;
  tell: (order: Order) => void;
  stop: () => Promise<void>;
}

/** Starts the fake; it may have to be compiled first. A Samsara has no database, no user, and its token as the password. */
export async function startFake(as: 'geotab' | 'samsara'): Promise<Fake> {
  const child = spawn('go', ['run', './internal/testkit/providertest/serve', as], { cwd: root });
  let [said, log] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ended = new Promise<void>(resolve => child.on('exit', () => resolve()));
  const line = await until(
    'the fake provider to be ready',
    () => {
      if (child.exitCode !== null) throw new Error(`the fake provider ended with ${child.exitCode}:\n${log}`);
      return said.includes('\n') && said;
    },
    300_000,
  );
  const account = JSON.parse(line) as Omit<Fake, 'tell' | 'stop'>;
  const folder = mkdtempSync(join(tmpdir(), 'lightbar-provider-'));
  const certificate = join(folder, 'certificate.pem');
  writeFileSync(certificate, account.certificate);
  return {
    ...account,
    certificate,
    tell: order => void child.stdin.write(`${JSON.stringify(order)}\n`),
    stop: async () => {
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
