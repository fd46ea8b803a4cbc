/** The page /docs: Swagger UI with the OpenAPI document, served without requests to other hosts. */
import { readFile } from 'node:fs/promises';
import { getRoute, type HttpRoute } from '../http/httpRoute.ts';
import { htmlResponse } from './htmlPage.ts';
import { CSS, JAVASCRIPT, staticAsset } from './staticAsset.ts';

/**
 * The Content-Security-Policy of /docs. Swagger UI needs style attributes and icons from data URLs. Scripts come only
 * from the service.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>REST · pagespace</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/viewer.css">
<link rel="stylesheet" href="/docs/page.css">
<script src="/docs/theme.js"></script>
<body>
<nav aria-label="pagespace"><a href="/">pagespace</a><a href="/docs" aria-current="page">REST</a><a href="/graphql">GraphQL</a><a href="/failures">Failures</a></nav>
<main id="manual"></main>
<script src="/docs/viewer.js"></script>
<script src="/docs/begin.js"></script>
</body>
</html>
`;

/** The style sheet of the bar above Swagger UI, in the colours of Swagger UI. */
const PAGE_STYLE = `body { margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: .9rem 1.25rem; border-bottom: 1px solid #d8dde7; font: 600 15px/1.5 system-ui, sans-serif; }
nav a { color: #3b4151; text-decoration: none; }
nav a:first-child { margin-right: auto; }
nav a:hover, nav a[aria-current] { text-decoration: underline; text-underline-offset: .3em; }
nav a:focus-visible { outline: 2px solid #4990e2; outline-offset: 3px; border-radius: 2px; }
html.dark-mode nav { border-color: #3b4151; }
html.dark-mode nav a { color: #e4e6e6; }
`;

/** The script that follows the reader's colour scheme. It runs before the page is drawn. `dark-mode` is a class of Swagger UI. */
const THEME_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

/**
 * The script that starts Swagger UI. `validatorUrl: null` turns off the validation badge, which would send a request to
 * another host.
 */
const INIT_SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#manual',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
});
`;

const readSwaggerFile = (name: string) => readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));

/** Creates the routes of the page /docs and of the files that it loads. */
export const docsRoutes = (): readonly HttpRoute[] => [
  getRoute('/docs', () => htmlResponse(PAGE, CONTENT_SECURITY_POLICY)),
  getRoute(
    '/docs/viewer.js',
    staticAsset(() => readSwaggerFile('swagger-ui-bundle.js'), JAVASCRIPT),
  ),
  getRoute(
    '/docs/viewer.css',
    staticAsset(() => readSwaggerFile('swagger-ui.css'), CSS),
  ),
  getRoute(
    '/docs/page.css',
    staticAsset(() => PAGE_STYLE, CSS),
  ),
  getRoute(
    '/docs/theme.js',
    staticAsset(() => THEME_SCRIPT, JAVASCRIPT),
  ),
  getRoute(
    '/docs/begin.js',
    staticAsset(() => INIT_SCRIPT, JAVASCRIPT),
  ),
];
