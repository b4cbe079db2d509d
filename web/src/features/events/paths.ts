import { pathsOf } from '~/section/paths';

const { list, detail, edit } = pathsOf('events');

export const LIST_PATH = list;
export const detailPath = detail;
export const editPath = (id: string) => edit(id);
