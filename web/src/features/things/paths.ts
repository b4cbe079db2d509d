import { pathsOf } from '~/section/paths';

const { list, detail, edit } = pathsOf('things');

export const LIST_PATH = list;
export const detailPath = detail;
export const editProfilePath = (id: string) => edit(id, 'profile');
export const editAccessPath = (id: string) => edit(id, 'associations');
