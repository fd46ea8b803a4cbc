/** Pages for people and the documents they read; public, without a key. */
import { readFile } from 'node:fs/promises';
import type { GetRoutes } from '../http/getRoutes.ts';
import { jsonResponse } from '../http/httpContext.ts';
import { openapi } from '../rest/openapi.ts';
import { restRoutes } from '../rest/routes/restRoutes.ts';
import { docsPage } from './docsPage.ts';
import { failuresPage } from './failuresPage.ts';
import { HOME_SCRIPT_PATH, homePage } from './homePage.ts';
import { PAGE_CSS, PAGE_CSS_PATH } from './htmlPage.ts';
import { CSS, JAVASCRIPT, staticAsset } from './staticAsset.ts';

/** Bundled by `npm run build`. */
const readHomeScript = () => readFile(new URL('../../../dist/web/home.js', import.meta.url), 'utf8');

/** @param facts `origin` is the service's own address, known once it listens */
export function pageRoutes({
  version,
  graphiql,
  origin,
}: {
  version: string;
  graphiql: boolean;
  origin: () => string;
}): GetRoutes {
  const description = openapi(restRoutes, version);
  return {
    '/': () => homePage(version, graphiql, origin()),
    [HOME_SCRIPT_PATH]: staticAsset(readHomeScript, JAVASCRIPT),
    '/failures': failuresPage,
    [PAGE_CSS_PATH]: staticAsset(() => PAGE_CSS, CSS),
    '/openapi.json': () => jsonResponse(200, description, { 'cache-control': 'no-cache' }),
    ...docsPage(),
  };
}
