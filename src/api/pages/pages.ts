/** Pages for people and the documents they read; public, without a key. */
import { json } from '../exchange.ts';
import type { Resources } from '../resources.ts';
import { openapi } from '../rest/openapi.ts';
import { routes } from '../rest/routes.ts';

export function pages({ version }: { version: string }): Resources {
  const description = openapi(routes, version);
  return { '/openapi.json': () => json(200, description) };
}
