/** Pages for people and the documents they read; public, without a key. */
import { json } from '../exchange.ts';
import type { Resources } from '../resources.ts';
import { openapi } from '../rest/openapi.ts';
import { routes } from '../rest/routes.ts';
import { asset, CSS } from './asset.ts';
import { docsPage } from './docsPage.ts';
import { failuresPage } from './failuresPage.ts';
import { homePage } from './homePage.ts';
import { STYLE, STYLE_PATH } from './htmlPage.ts';

export function pages({ version, graphiql }: { version: string; graphiql: boolean }): Resources {
  const description = openapi(routes, version);
  return {
    '/': () => homePage(version, graphiql),
    '/failures': failuresPage,
    [STYLE_PATH]: asset(() => STYLE, CSS),
    '/openapi.json': () => json(200, description, { 'cache-control': 'no-cache' }),
    ...docsPage(),
  };
}
