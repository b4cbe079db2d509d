import { pathsOf } from '~/section/paths';

const { list, detail } = pathsOf('areas');

export const LIST_PATH = list;
export const detailPath = detail;
