/** The table of REST routes: one entry for each path. */
import { fileRoutes } from './fileRoutes.ts';
import { ledgerRoute } from './ledgerRoute.ts';
import { operationRoutes } from './operationRoutes.ts';
import { readRoutes } from './readRoutes.ts';
import { recordRoutes } from './recordRoutes.ts';
import type { RestRoute } from './route.ts';

/** All REST routes, in the order of the documentation. */
export const restRoutes: readonly RestRoute[] = [
  ...operationRoutes,
  ...readRoutes,
  ...recordRoutes,
  ...fileRoutes,
  ledgerRoute,
];
