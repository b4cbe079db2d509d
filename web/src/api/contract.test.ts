import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('..', import.meta.url));
const GENERATED = 'api/schema.gen.ts';

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map(name => name.replaceAll('\\', '/'))
  .filter(name => /\.tsx?$/.test(name) && name !== GENERATED);

/** The properties of types that a file declares by itself, as "file: name". */
function declared(name: string): string[] {
  const text = readFileSync(`${SRC}${name}`, 'utf8');
  if (!/\w_\w+['"]?\??:/.test(text)) return [];
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isPropertySignature(node)) found.push(node.name.getText(source).replaceAll(/['"]/g, ''));
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** Read files of the catalog, whose names are like those of the wire. */
const OTHERS = ['model/vectors.test.ts'];

/** The wire writes names_like_this, and nothing of ours does. */
it('no shape of the wire is typed by hand: each comes from the document of the server', () => {
  const others = files.filter(name => !OTHERS.includes(name));
  const byHand = others.flatMap(name =>
    declared(name)
      .filter(property => /^[a-z0-9]+(_[a-z0-9]+)+(\[\])?$/.test(property))
      .map(property => `${name}: ${property}`),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(byHand).toEqual([]);
});

it('only this folder reads the generated file; the others take its shapes by name', () => {
  const readers = files.filter(name => /schema\.gen/.test(readFileSync(`${SRC}${name}`, 'utf8')));
  expect(readers.sort()).toEqual(['api/contract.test.ts', 'api/recorded.ts', 'api/route.ts', 'api/types.ts']);
});

/** Where a file makes an answer of a server by itself: `new Response`, `Response.json`, an object with a `json()`. */
function answersMade(name: string): string[] {
  const text = readFileSync(`${SRC}${name}`, 'utf8');
  if (!/\bResponse\b|\bjson\b/.test(text)) return [];
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const isResponse = (node: ts.Node) => ts.isIdentifier(node) && node.text === 'Response';
  const isStub = (node: ts.Node) =>
    (ts.isMethodDeclaration(node) ||
      (ts.isPropertyAssignment(node) &&
        (ts.isArrowFunction(node.initializer) || ts.isCallExpression(node.initializer)))) &&
    ts.isObjectLiteralExpression(node.parent) &&
    node.name.getText(source) === 'json';
  const look = (node: ts.Node): void => {
    const made =
      (ts.isNewExpression(node) && isResponse(node.expression)) ||
      (ts.isPropertyAccessExpression(node) && isResponse(node.expression)) ||
      isStub(node);
    if (made) found.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`);
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** A test that invents what the server says proves nothing: the page may be right about a server that is not there. */
it('no test makes up an answer: recorded.ts replays what was recorded, varies it, or calls it malformed', () => {
  expect(files.filter(name => name !== 'api/recorded.ts').flatMap(answersMade)).toEqual([]);
  expect(answersMade('api/recorded.ts').length).toBeGreaterThan(2);
});
