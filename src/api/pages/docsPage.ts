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
<title>REST · pagespace</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/viewer.css">
<body>
<div id="manual"></div>
<script src="/docs/viewer.js"></script>
<script src="/docs/begin.js"></script>
</body>
</html>
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
    '/docs/begin.js',
    staticAsset(() => INIT_SCRIPT, JAVASCRIPT),
  ),
];
