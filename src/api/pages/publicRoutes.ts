/** The public pages, which need no API key. */
import { readFile } from 'node:fs/promises';
import { jsonResponse } from '../http/httpResponse.ts';
import { getRoute, type HttpRoute } from '../http/httpRoute.ts';
import { openapi } from '../rest/openapi.ts';
import { restRoutes } from '../rest/restRoutes.ts';
import { type DescribedApi, docsPage, docsScriptRoute } from './docsPage.ts';
import { failuresPage } from './failuresPage.ts';
import { HOME_SCRIPT_PATH, homePage } from './homePage.ts';
import { PAGE_CSS, PAGE_CSS_PATH } from './htmlPage.ts';
import { llmsText } from './llmsText.ts';
import { CSS, JAVASCRIPT, staticAsset } from './staticAsset.ts';

/** Reads the script of the home page, which `npm run build` bundles from src/web. */
const readHomeScript = () => readFile(new URL('../../../dist/web/home.js', import.meta.url), 'utf8');

/** Version, GraphiQL setting and origin of the service, which its public pages show. */
export interface PageOptions {
  readonly version: string;
  /** True when GraphiQL is served at /graphql. */
  readonly hasGraphiql: boolean;
  /** Returns the service's own origin, which is known only when the server listens. */
  readonly origin: () => string;
  /** The page that the examples open. */
  readonly exampleUrl: string;
}

/** Creates the routes that need no API key: the pages, the files that they load, and /openapi.json. */
export function publicRoutes({
  version,
  hasGraphiql,
  origin,
  exampleUrl,
}: PageOptions): readonly HttpRoute[] {
  // The origin is known only when the server listens.
  let described: ReturnType<typeof openapi> | null = null;
  const description = () => {
    described ??= openapi(restRoutes, { version, origin: origin(), exampleUrl });
    return described;
  };
  return [
    getRoute('/', () => homePage(version, hasGraphiql, origin(), exampleUrl)),
    getRoute(HOME_SCRIPT_PATH, staticAsset(readHomeScript, JAVASCRIPT)),
    getRoute('/failures', failuresPage),
    getRoute('/llms.txt', () => llmsText(origin())),
    getRoute(
      PAGE_CSS_PATH,
      staticAsset(() => PAGE_CSS, CSS),
    ),
    getRoute('/openapi.json', () => jsonResponse(200, description(), { 'cache-control': 'no-cache' })),
    // The page shows the parts that every document of ours has.
    getRoute('/docs', () => docsPage(description() as unknown as DescribedApi, origin(), exampleUrl)),
    docsScriptRoute,
  ];
}
