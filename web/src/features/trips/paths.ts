import { pathsOf } from '~/section/paths';

const { list, detail } = pathsOf('trips');

export const LIST_PATH = list;
export const detailPath = (thingId: string, runId: string) => `${detail(thingId)}/${encodeURIComponent(runId)}`;
