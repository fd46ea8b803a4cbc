/** Pages for people and the documents they read; public, without a key. */
import { readFile } from 'node:fs/promises';
import { json } from '../exchange.ts';
import type { Resources } from '../resources.ts';
import { openapi } from '../rest/openapi.ts';
import { routes } from '../rest/routes.ts';
import { asset, CSS, JAVASCRIPT } from './asset.ts';
import { docsPage } from './docsPage.ts';
import { failuresPage } from './failuresPage.ts';
import { HOME_SCRIPT_PATH, homePage } from './homePage.ts';
import { STYLE, STYLE_PATH } from './htmlPage.ts';

/** Bundled by `npm run build`. */
const homeScript = () => readFile(new URL('../../../dist/web/home.js', import.meta.url), 'utf8');

/** @param facts `origin` is the service's own address, known once it listens */
export function pages({
  version,
  graphiql,
  origin,
}: {
  version: string;
  graphiql: boolean;
  origin: () => string;
}): Resources {
  const description = openapi(routes, version);
  return {
    '/': () => homePage(version, graphiql, origin()),
    [HOME_SCRIPT_PATH]: asset(homeScript, JAVASCRIPT),
    '/failures': failuresPage,
    [STYLE_PATH]: asset(() => STYLE, CSS),
    '/openapi.json': () => json(200, description, { 'cache-control': 'no-cache' }),
    ...docsPage(),
  };
}
