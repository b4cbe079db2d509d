import type { paths } from './schema.gen';

type Method = 'get' | 'put' | 'post' | 'delete';

/** Every operation of the server, by method and path: "PUT /things/{id}". */
export type Route = {
  [P in keyof paths]: { [M in Method]: paths[P][M] extends object ? `${Uppercase<M>} ${P}` : never }[Method];
}[keyof paths];

type OperationOf<R extends Route> = R extends `${infer M} ${infer P}`
  ? P extends keyof paths
    ? Lowercase<M> extends keyof paths[P]
      ? paths[P][Lowercase<M>]
      : never
    : never
  : never;

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** What an operation answers when all is well; undefined for an empty answer (204). */
export type AnswerOf<R extends Route> =
  OperationOf<R> extends { responses: infer S } ? JsonOf<S[keyof S & (200 | 201 | 204)]> : never;

/** Operations whose answer is a resource or a list under "data". */
export type DataRoute = { [R in Route]: AnswerOf<R> extends { data: unknown } ? R : never }[Route];
export type DataOf<R extends DataRoute> = AnswerOf<R> extends { data: infer Data } ? Data : never;

/** Paths that can be read. */
export type ReadPath = Route extends infer R ? (R extends `GET ${infer P}` ? P : never) : never;

/** Operations that delete. */
export type DeleteRoute = Extract<Route, `DELETE ${string}`>;

/** The JSON body that an operation takes; undefined for none. */
export type BodyOf<R extends Route> =
  OperationOf<R> extends { requestBody?: never }
    ? undefined
    : OperationOf<R> extends { requestBody?: infer B }
      ? JsonOf<NonNullable<B>>
      : never;

/** The query that an operation takes; a parameter that is undefined is left out. */
export type QueryOf<R extends Route> =
  OperationOf<R> extends { parameters: { query?: infer Q } }
    ? { [K in keyof Q]?: (Q[K] extends readonly (infer One)[] | undefined ? readonly One[] : Q[K]) | undefined }
    : never;

type PlaceOf<R extends Route> = R extends `${string}{${infer Name}}${infer Rest}`
  ? Name | (Rest extends `${string}{${infer Next}}${string}` ? Next : never)
  : never;

/** What fills the places of an operation's path: the ids, as they are. */
export type PathOf<R extends Route> = Readonly<Record<PlaceOf<R>, string>>;

/** The parts of a call that the operation itself asks for. */
export type PartsOf<R extends Route> = { query?: QueryOf<R> } & ([PlaceOf<R>] extends [never]
  ? { path?: never }
  : { path: PathOf<R> }) &
  (BodyOf<R> extends undefined ? { body?: never } : { body: BodyOf<R> });
