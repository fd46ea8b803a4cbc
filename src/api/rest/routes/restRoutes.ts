/** The table of REST routes: one entry for each path. */
import { accountRoutes } from './accountRoutes.ts';
import { fileRoutes } from './fileRoutes.ts';
import { operationRoutes } from './operationRoutes.ts';
import { readRoutes } from './readRoutes.ts';
import type { RestRoute } from './route.ts';

/** All REST routes, in the order of the documentation. */
export const restRoutes: readonly RestRoute[] = [
  ...operationRoutes,
  ...readRoutes,
  ...fileRoutes,
  ...accountRoutes,
];
