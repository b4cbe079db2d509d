import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, api, type Failure, type QueryOf, type Route } from '~/api';

/** Operations that list rows. */
type ListRoute = {
  [R in Route]: AnswerOf<R> extends { data: readonly { id: string }[]; meta: { total: number } } ? R : never;
}[Route];
/** Operations that read one row by its id. */
type OneRoute = {
  [R in Route]: R extends `GET ${string}/{id}` ? (AnswerOf<R> extends { data: { id: string } } ? R : never) : never;
}[Route];
type RowOf<R extends Route> = AnswerOf<R> extends { data: readonly (infer Row)[] } ? Row : never;
type DataOf<R extends Route> = AnswerOf<R> extends { data: infer Data } ? Data : never;

const PER_PAGE = 500;

/** Every row of a list, page by page. */
export async function allRows<R extends ListRoute>(
  route: R,
  query: QueryOf<R>,
  signal: AbortSignal,
): Promise<RowOf<R>[]> {
  const rows: RowOf<R>[] = [];
  for (let page = 1; ; page += 1) {
    // The compiler cannot follow a query through a type parameter: any list stands for this one.
    const call = { query: { ...query, page, per_page: PER_PAGE }, signal };
    const { data, meta } = await api.request(route as 'GET /organization/users', call);
    rows.push(...(data as unknown as RowOf<R>[]));
    if (data.length === 0 || page * PER_PAGE >= meta.total) return rows;
  }
}

type Row = { id: string };

/**
 * Server truth that is not streamed, of one noun: its lists by organization and its rows by id, as the wire has them;
 * rows that do not fit are left out.
 * One policy for its cache: what a write answers takes the row's place, what is deleted leaves every list at once, and
 * the lists are asked again.
 */
export function resource<L extends ListRoute, O extends OneRoute>(
  noun: string,
  routes: { list: L; one?: O; fits?: (row: RowOf<L>) => boolean },
) {
  const all = [noun] as const;
  const lists = [noun, 'list'] as const;
  const oneKey = (id: string) => [noun, 'one', id] as const;
  return {
    all,
    /** The rows of an organization, or all in reach. */
    list: (organizationId?: string) =>
      queryOptions({
        queryKey: [...lists, organizationId],
        queryFn: async ({ signal }) => {
          const query = organizationId ? { 'org_ids[]': [organizationId] } : {};
          return (await allRows(routes.list, query as QueryOf<L>, signal)).filter(routes.fits ?? (() => true));
        },
      }),
    one: (id: string) =>
      queryOptions({
        queryKey: oneKey(id),
        queryFn: async ({ signal }) =>
          (await api.data((routes.one ?? '') as 'GET /users/{id}', { path: { id }, signal })) as unknown as DataOf<O>,
      }),
    /** Something that belongs to a row and is asked for by itself. */
    part: <T>(id: string, name: string, ask: (signal: AbortSignal) => Promise<T>) =>
      queryOptions({ queryKey: [...oneKey(id), name], queryFn: ({ signal }) => ask(signal) }),
    /** What a write does to what is kept; each throws what the call threw. */
    useWrites() {
      const queries = useQueryClient();
      const inLists = (change: (rows: Row[]) => Row[]) => {
        queries.setQueriesData<Row[]>({ queryKey: lists }, rows => rows && change(rows));
        void queries.invalidateQueries({ queryKey: lists });
      };
      return {
        /** Of a write that answers the row. In a list it stays what it is to that list's organization. */
        kept: async <T extends Row>(call: Promise<T>): Promise<T> => {
          const made = await call;
          queries.setQueryData(oneKey(made.id), made);
          inLists(rows =>
            rows.map(row =>
              row.id === made.id ? { ...made, ...('relation' in row && { relation: row.relation }) } : row,
            ),
          );
          return made;
        },
        /** Of a delete; what is gone already is as good as deleted. */
        gone: async (id: string, call: Promise<Failure | undefined>): Promise<Failure | undefined> => {
          const failure = await call;
          queries.removeQueries({ queryKey: oneKey(id) });
          inLists(rows => rows.filter(row => row.id !== id));
          return failure;
        },
        /** Of any other write: everything of the noun is asked again. */
        changed: async <T>(call: Promise<T>): Promise<T> => {
          const answer = await call;
          await queries.invalidateQueries({ queryKey: all });
          return answer;
        },
      };
    },
  };
}
