import { pathsOf } from '~/section/paths';

const { list, detail } = pathsOf('hazards');

export const LIST_PATH = list;
export const detailPath = detail;
