import { api, asFailure, type Failure, type Operation, type Schemas, say } from '~/api';
import { NOUNS } from '~/live/nouns';
import { placeWord } from './address';
import { dropRow, keepRow, type RowOf, useShownRow } from './nounRow';
import { pathsOf } from './paths';
import type { Shown } from './shown';

/** The nouns whose rows people make, change, and delete over the map: their rows on the wire, and what they are written with. */
interface Wires {
  area: { row: Schemas['Area']; write: Schemas['AreaWrite'] };
  zone: { row: Schemas['Zone']; write: Schemas['ZoneWrite'] };
  closure: { row: Schemas['Closure']; write: Schemas['ClosureWrite'] };
  hazard: { row: Schemas['Hazard']; write: Schemas['HazardWrite'] };
}
export type EditedType = keyof Wires;
/** What a row of a noun is written with. */
export type WriteOf<Type extends EditedType> = Wires[Type]['write'];
type WireOf<Type extends EditedType> = Wires[Type]['row'];

/** A noun of a section over the map: what its screens call it, its addresses, and its calls. */
export interface SectionNoun<Type extends EditedType> {
  readonly type: Type;
  /** "Zone", "Zones" */
  readonly what: string;
  readonly many: string;
  readonly list: string;
  readonly create: string;
  /** the same, of one that begins at a place */
  readonly createAt: (place: { lat: number; lng: number }) => string;
  readonly detail: (id: string) => string;
  readonly edit: (id: string) => string;
  /** The row of a detail or an edit: from the live picture, else read on its own. */
  readonly useShown: (id: string) => Shown<RowOf<Type>>;
  /** POST. The id in the body is the new row's own, so that it is made once however often it is sent. Throws the client's failure. */
  readonly add: (body: WriteOf<Type>) => Promise<WireOf<Type>>;
  /**
   * PUT, with the version that the edit began with; none: over whatever there is. Answers the row that it made. Throws the
   * client's failure.
   */
  readonly save: (id: string, body: WriteOf<Type>, version?: number) => Promise<WireOf<Type>>;
  /** DELETE; what is gone already counts as deleted: its failure is returned. */
  readonly remove: (id: string) => Promise<Failure | undefined>;
}

/** Declares the noun of a section. Its calls are those of its list's path (`NOUNS`). */
export function sectionNoun<Type extends EditedType>(type: Type, section: string, what: string): SectionNoun<Type> {
  const { list, detail, edit } = pathsOf(section);
  // All four have the operations of zones; which row and which body is said by the types above.
  const path = NOUNS[type].path as (typeof NOUNS)['zone']['path'];
  const of = NOUNS[type].of as (row: WireOf<Type>) => RowOf<Type>;
  return {
    type,
    what,
    many: `${what}s`,
    list,
    create: `${list}/new`,
    createAt: place => `${list}/new?at=${placeWord(place)}`,
    detail,
    edit: id => edit(id),
    useShown: id =>
      useShownRow(type, id, {
        read: async (one, signal) =>
          of((await api.data(`GET ${path}/{id}`, { path: { id: one }, signal })) as WireOf<Type>),
        operation: 'rows.load',
      }),
    add: async body => {
      const row = await api.data(`POST ${path}`, { body: body as WriteOf<'zone'> });
      keepRow(type, row);
      return row as WireOf<Type>;
    },
    save: async (id, body, version) => {
      const row = await api.data(`PUT ${path}/{id}`, {
        path: { id },
        body: body as WriteOf<'zone'>,
        ifMatch: version,
      });
      keepRow(type, row);
      return row as WireOf<Type>;
    },
    remove: async id => {
      const failure = await api.delete(`DELETE ${path}/{id}`, { id });
      dropRow(type, id);
      return failure;
    },
  };
}

/** The server's sentence stands at its field; under the buttons stands that, or what the catalog says. */
export const sayField =
  (operation: Operation, noun = '') =>
  (error: unknown): string => {
    const [sentence] = Object.values(asFailure(error).fields);
    return sentence ?? say(operation, error, noun);
  };
