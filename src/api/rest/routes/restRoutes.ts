/** The table of REST routes: one entry for each path. */
import { accountRoutes } from './accountRoutes.ts';
import { fileRoutes } from './fileRoutes.ts';
import { pageRoutes } from './pageRoutes.ts';
import type { RestRoute } from './route.ts';
import { sessionRoutes } from './sessionRoutes.ts';

/** In the order of the documentation. */
export const restRoutes: readonly RestRoute[] = [
  ...sessionRoutes,
  ...pageRoutes,
  ...fileRoutes,
  ...accountRoutes,
];
