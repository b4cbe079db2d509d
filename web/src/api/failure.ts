import type errors from '@catalog/errors.json';
import type { Schemas } from './types';
import { isObject, type Unchecked, unchecked } from './unchecked';

/** The machine codes: the catalog's, and ours for calls without an answer; '' for an answer that says none. */
export type ErrorCode = keyof typeof errors | 'network' | 'timeout' | 'unreadable' | 'unknown' | '';

/** What a call can fail with. `status` 0 means that no answer came (no network, time-out, unreadable answer). */
export interface FailureParts {
  status: number;
  /** The server's machine code, or one of ours for status 0: `network`, `timeout`, `unreadable`. */
  code: string;
  /** The server's sentence; may be empty. Show `say(operation, failure)`, not this. */
  message: string;
  /** `error_description` of the token endpoint (RFC 6749). */
  description?: string;
  /** Sentences by wire field. */
  fields?: Readonly<Record<string, string>>;
  /** The present state, with 409: the row that a success would answer. */
  current?: Schemas['Current'];
  requestId?: string;
  /** Seconds to wait before asking again (Retry-After). */
  retryAfterS?: number;
  /** The whole answer, for the few failures that carry more (a second factor's challenge). */
  answer?: Unchecked<Schemas['Failure']>;
}

/** A failed call as a value: thrown by the client, so that queries and mutations carry it as their error. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly status: number;
  readonly code: ErrorCode;
  readonly description: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly current: Schemas['Current'] | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly answer: Unchecked<Schemas['Failure']>;

  constructor(parts: FailureParts) {
    super(parts.message);
    this.status = parts.status;
    // A newer server may know more codes: they are none of those that anybody asks for.
    this.code = parts.code as ErrorCode;
    this.description = parts.description;
    this.fields = parts.fields ?? {};
    this.current = parts.current;
    this.requestId = parts.requestId;
    this.retryAfterS = parts.retryAfterS;
    this.answer = parts.answer ?? {};
  }

  /** Whether asking again later may help: nothing came back, or the server was busy. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Any thrown thing as a `Failure`; what is not one becomes an unknown failure of status -1. */
export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure({ status: -1, code: 'unknown', message: '' });
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Reads an error answer: `{"error", "message", "fields", "current", "request_id", "error_description"}`. Bodies of
 * another shape (a proxy's page) leave only the status.
 */
export function failureOf(status: number, body: unknown, headers: Headers): Failure {
  const answer = unchecked<Schemas['Failure']>(body);
  const fields = Object.entries(unchecked<Record<string, unknown>>(answer.fields)).filter(
    (entry): entry is [string, string] => text(entry[1]) !== undefined,
  );
  const retryAfter = Number.parseInt(headers.get('Retry-After') ?? '', 10);
  const description = text(answer.error_description);
  const requestId = text(answer.request_id) ?? headers.get('X-Request-Id') ?? undefined;
  return new Failure({
    status,
    code: text(answer.error) ?? '',
    message: text(answer.message) ?? '',
    ...(description ? { description } : {}),
    ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}),
    ...(isObject(answer.current) ? { current: answer.current as Schemas['Current'] } : {}),
    ...(requestId ? { requestId } : {}),
    ...(retryAfter >= 0 ? { retryAfterS: retryAfter } : {}),
    answer,
  });
}
