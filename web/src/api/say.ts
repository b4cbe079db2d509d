import catalog from '@catalog/texts.json';
import { asFailure, type Failure } from './failure';

/** The calls whose failures have texts of their own (requirements 8). */
export type Operation = keyof typeof catalog.operations;

interface Rule {
  status?: number | readonly number[];
  code?: string;
  field?: string;
  includes?: string;
  server?: string;
  text: string;
}

interface OperationTexts {
  rules: readonly Rule[];
  always?: string;
  else: string;
}

const operations: Readonly<Record<Operation, OperationTexts>> = catalog.operations;

/** Statuses whose server sentence is shown when no rule names them (decisions.md, Errors). */
const speaksForItself = (status: number) => status === 403 || status === 409 || status === 429 || status >= 500;

/** What texts call the product; `nameProduct` says otherwise once the server has. */
let product = 'Safety Cloud';

/** Names the product in every text that does. */
export function nameProduct(name: string): void {
  product = name;
}

/** The catalog's exact text for what went wrong in an operation. Anything thrown may come in. `noun` is what it was done to: "Zone". */
export const say = (operation: Operation, error: unknown, noun = ''): string =>
  fill(textOf(operation, error), { name: product, noun });

function textOf(operation: Operation, error: unknown): string {
  const failure = asFailure(error);
  const texts = operations[operation];
  if (texts.always !== undefined) return texts.always;
  // Our server always says a code: it has never seen this request.
  if (failure.status === 413 && failure.code === '') return catalog.texts.chrome.proxyTooLarge;
  for (const rule of texts.rules) {
    if (!fits(rule, failure)) continue;
    if (rule.server === 'message') return failure.message || rule.text;
    if (rule.server === 'description') return failure.description || failure.message || rule.text;
    return rule.text;
  }
  return (speaksForItself(failure.status) && failure.message) || texts.else;
}

function fits(rule: Rule, { status, code, fields, message }: Failure): boolean {
  if (rule.status !== undefined) {
    const list = typeof rule.status === 'number' ? [rule.status] : rule.status;
    if (!list.includes(status)) return false;
  }
  const hasWords = rule.includes === undefined || message.toLowerCase().includes(rule.includes.toLowerCase());
  if (rule.code === undefined && rule.field === undefined) return hasWords;
  // The code and the field say what went wrong; words decide only for an answer without a code.
  if (code === '') return rule.includes !== undefined && hasWords;
  const refused = Object.keys(fields);
  const isField = rule.field === undefined || (refused.length === 1 && refused[0] === rule.field);
  return isField && (rule.code === undefined || rule.code === code);
}

/** Fixed words of requirements 8 by place. */
export const texts = catalog.texts;

/** Puts values into a fixed text's {places}; unknown places stay. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
