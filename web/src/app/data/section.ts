import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import type { SectionRow } from '~/section/section';
import { dataRoutes } from './routes';

/** Reports and exports; the link at the top right leads there. */
export const data: SectionRow = {
  id: 'data',
  frame: 'page',
  Nav: lazy(chunk(() => import('./DataNav'))),
  routes: dataRoutes,
};
