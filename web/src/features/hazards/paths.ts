import { placeWord } from '~/section/address';
import { pathsOf } from '~/section/paths';

const { list, detail, edit } = pathsOf('hazards');

export const LIST_PATH = list;
export const detailPath = detail;
export const editPath = (id: string) => edit(id);
export const NEW_PATH = `${list}/new`;
/** One at a place. */
export const newPathAt = (place: { lat: number; lng: number }): string => `${NEW_PATH}?at=${placeWord(place)}`;
