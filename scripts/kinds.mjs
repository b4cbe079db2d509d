// Makes web/src/live/kinds.gen.ts from the server's OpenAPI document: what kind of value each field of each
// streamed row is, so that the web app can leave out a row that is something else (requirements 5.data).   usage: node scripts/kinds.mjs openapi.json
import { readFileSync } from 'node:fs';

const { schemas } = JSON.parse(readFileSync(process.argv[2], 'utf8')).components;
const nameOf = ref => ref.split('/').at(-1);
const shapes = new Map();

/** string, number, boolean, object, any, "Name" of a shape, "[kind]" of a list; "|null" where it may be null. */
function kindOf(schema) {
  if (schema.$ref) return reach(nameOf(schema.$ref));
  if (schema.oneOf) {
    const kinds = schema.oneOf.map(kindOf);
    return kinds.length === 2 && kinds[1] === 'null' ? `${kinds[0]}|null` : 'any';
  }
  const types = [schema.type ?? 'any'].flat();
  const [type] = types.filter(one => one !== 'null');
  if (!type) return 'null';
  const kind = type === 'integer' ? 'number' : type === 'array' ? `[${kindOf(schema.items)}]` : type;
  return types.includes('null') ? `${kind}|null` : kind;
}

/** A named schema: one with fields becomes a shape of its own, any other its kind. */
function reach(name) {
  const schema = schemas[name];
  if (schema.type !== 'object' || !schema.properties) return kindOf(schema);
  if (shapes.has(name)) return name;
  const shape = {};
  shapes.set(name, shape);
  const required = new Set(schema.required);
  for (const [field, of] of Object.entries(schema.properties)) shape[required.has(field) ? field : `${field}?`] = kindOf(of);
  return name;
}

const bodies = {};
for (const { $ref } of schemas.AnyMessage.oneOf) {
  const { type, action: _, ...body } = schemas[nameOf($ref)].properties;
  const [[field, of]] = Object.entries(body);
  bodies[type.enum[0]] = [field, kindOf(of)];
}

const key = name => (/^\w+$/.test(name) ? name : `'${name}'`);
const lines = Object.entries(bodies).map(([type, [field, shape]]) => `  ['${type}', { field: '${field}', shape: '${shape}' }],`);
const tables = [...shapes].map(([name, shape]) =>
  [`  ${name}: {`, ...Object.entries(shape).map(([field, kind]) => `    ${key(field)}: '${kind}',`), '  },'].join('\n'),
);
console.log(`// Made by scripts/openapi.sh from the server's OpenAPI document; not edited by hand.

/** The field and the shape of each message's row. */
export const BODIES: ReadonlyMap<string, { field: string; shape: string }> = new Map([
${lines.join('\n')}
]);

/** The kinds of each shape's fields; a name that ends in "?" may be left out. */
export const SHAPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
${tables.join('\n')}
};`);
