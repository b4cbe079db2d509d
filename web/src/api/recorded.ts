// What the server really says, for tests: recordings/ at the root, written and held fast by the server's own tests. A
// recording that is no longer true fails there; one that is gone fails here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { operations } from './schema.gen';
import type { Schemas, WireFrame, WireMessage } from './types';

const FOLDER = join(import.meta.dirname, '../../../recordings');

interface Recording {
  operation: string;
  status: number;
  headers: Record<string, string>;
  body?: unknown;
  text?: string;
}

const known = new Map<string, unknown>();

/** A recording by its path; nobody can change it. */
function read(path: string): unknown {
  if (!known.has(path)) known.set(path, JSON.parse(readFileSync(join(FOLDER, `${path}.json`), 'utf8'), freeze));
  return known.get(path);
}

const freeze = (_: string, value: unknown) => Object.freeze(value);

const answerNamed = (name: string) => read(`http/${name}`) as Recording;

/** What drivers' apps read is no operation of the document. */
type Public = 'feeds-alerts' | 'feeds-alerts-impressions' | 'feeds-alerts-stream';

/** "listThings.since": an operation, and what was special about the answer; "ok" for nothing. */
export type AnswerName = `${Extract<keyof operations, string> | 'nothing' | Public}.${string}`;

type GoodOf<Name> = Name extends `${infer Operation}.${string}`
  ? Operation extends keyof operations
    ? operations[Operation] extends { responses: infer Answers }
      ? Answers[keyof Answers & (200 | 201)] extends { content: { 'application/json': infer Body } }
        ? Body
        : never
      : never
    : never
  : never;

/** The body of a good answer: `recorded('listThings.ok')`. */
export function recorded<Name extends AnswerName>(name: Name): GoodOf<Name> {
  const { status, body } = answerNamed(name);
  if (status >= 300) throw new Error(`${name} is a refusal`);
  return body as GoodOf<Name>;
}

/** A whole answer, for what stands in the place of `fetch`. */
export function replayed(name: AnswerName): Response {
  const { status, headers, body, text } = answerNamed(name);
  return new Response(body === undefined ? (text ?? null) : JSON.stringify(body), { status, headers });
}

type DataOf<Name> = GoodOf<Name> extends { data: infer Data } ? Data : GoodOf<Name>;

/** What a test may say otherwise: some fields, or other rows of a list. */
export type Over<Name extends AnswerName> =
  DataOf<Name> extends readonly (infer Row)[] ? readonly Row[] : Partial<DataOf<Name>>;

/** What stands beside the data of an answer. */
export type Beside<Name extends AnswerName> = Partial<Omit<GoodOf<Name>, 'data'>>;

/** A good answer with some of its data, or of what stands beside it, otherwise. */
export function answered<Name extends AnswerName>(name: Name, over?: Over<Name>, beside?: Beside<Name>): Response {
  const { headers, status } = answerNamed(name);
  const body = recorded(name) as { data?: object; meta?: object };
  if (over === undefined && beside === undefined) return replayed(name);
  const { data, meta } = body;
  const rows = Array.isArray(data) && Array.isArray(over);
  const said =
    data === undefined
      ? { ...body, ...over }
      : { ...body, data: rows ? over : over === undefined ? data : { ...data, ...over } };
  if (rows && meta) said.meta = { ...meta, per_page: Math.max(over.length, 1), total: over.length };
  return new Response(JSON.stringify({ ...said, ...beside }), { status, headers });
}

/** A refusal as it was recorded, with some of its fields otherwise. */
export function refused(name: AnswerName, over: Partial<Schemas['Failure']> = {}): Response {
  const { headers, status, body } = answerNamed(name);
  if (status < 400) throw new Error(`${name} is no refusal`);
  return new Response(JSON.stringify({ ...(body as object), ...over }), { status, headers });
}

/** What no server of ours says: another program on the way, or a version that we do not know. */
export const malformed = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

/** The head of a recorded stream of events, with a body that a test lets go on. */
export function opened(name: AnswerName, body: ReadableStream<Uint8Array>): Response {
  const { status, headers } = answerNamed(name);
  return new Response(body, { status, headers });
}

/** The data of the first event of that name in a recorded stream. */
export function eventOf(name: AnswerName, event: string): Record<string, unknown> {
  const found = (answerNamed(name).text ?? '').split('\n\n').find(text => text.includes(`event: ${event}\n`));
  if (!found) throw new Error(`${name} has no ${event}`);
  return JSON.parse(found.slice(found.indexOf('data: ') + 'data: '.length)) as Record<string, unknown>;
}

type Streamed = { [F in Extract<WireFrame, { type: string }> as F['type']]: F } & {
  [M in WireMessage as M['type']]: M;
} & { batch: Schemas['BatchFrame']; message: Schemas['MessageFrame']; sent: Schemas['Command'] };

type StreamName = keyof Streamed | `${keyof Streamed}.${string}`;
type KindOf<Name> = Name extends `${infer Kind}.${string}` ? Kind : Name;

/** A frame or message of the stream: `streamed('point.moving')`. */
export const streamed = <Name extends StreamName>(name: Name) =>
  read(`stream/${name}`) as Streamed[KindOf<Name> & keyof Streamed];

/** Something recorded with some of its fields otherwise. */
export const vary = <T extends object>(recording: T, over: Partial<T>): T => ({ ...recording, ...over });

/** The first of a recorded list. */
export function firstOf<T>(rows: readonly T[]): T {
  const [first] = rows;
  if (first === undefined) throw new Error('the recorded list is empty');
  return first;
}

/** Every recording of a kind by name. */
export const recordingsOf = (kind: 'http' | 'stream'): string[] =>
  readdirSync(join(FOLDER, kind)).map(file => file.replace(/\.json$/, ''));
