import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ShareLink } from '../../domain/account/account.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import { formatTime } from '../../domain/json.ts';
import { type HttpContext, readJsonBody } from '../http/httpContext.ts';
import { type HttpResponse, jsonResponse } from '../http/httpResponse.ts';
import { getRoute, type HttpRoute } from '../http/httpRoute.ts';
import { validationFailure } from '../http/validationFailure.ts';
import { CSS, escapeHtml, htmlResponse, JAVASCRIPT, staticAsset } from './htmlPage.ts';

const FOLDER = new URL('../../../dist/web/dashboard/', import.meta.url);
const ASSETS_PATH = '/assets/dashboard';
/** A file that the build wrote: no folder, no dot at its start. */
const ASSET_NAME = /^\w[\w-]*\.(js|css)$/;
/** Maximum size of the body of a sign-in by link, which is read before the caller is authenticated. */
const MAX_SIGN_IN_BYTES = 1_000;

/** Scripts, styles and requests of the service only; pictures of pages are data. `connect-src 'self'` covers the WebSocket of the same host. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** An icon of the service's own, as data: a frame with a point in it. */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='%230b6b58'/><rect x='4' y='4' width='8' height='8' rx='1.5' fill='none' stroke='white' stroke-width='1.5'/></svg>";

const page = (version: string, practiceShopUrl: string | null): string => `<!doctype html>
<html lang="en" data-version="${escapeHtml(version)}"${practiceShopUrl === null ? '' : ` data-shop="${escapeHtml(practiceShopUrl)}"`}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>pagespace</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${ASSETS_PATH}/style.css">
<body>
<div id="app"><noscript>The dashboard needs JavaScript.</noscript></div>
<script type="module" src="${ASSETS_PATH}/main.js"></script>
</body>
</html>
`;

/** Exchanges the token of a one-time link for an API key. @returns null if the token is unknown, used or too old */
export type SignInByLink = (token: string) => Promise<string | null>;

export interface DashboardOptions {
  readonly version: string;
  /** The practice shop, which the dashboard offers to open; null if it is off. */
  readonly practiceShopUrl: string | null;
  /** Null where the service prints no one-time link. */
  readonly signInByLink: SignInByLink | null;
  /** Opens a share link. @throws Failure SHARE_LINK_ENDED */
  readonly openShareLink: (secret: string) => Promise<{ readonly token: string; readonly link: ShareLink }>;
  /** Counts a refused token against the network of its caller. @throws Failure RATE_LIMITED */
  readonly countRefused: (callerNetwork: string) => Promise<void>;
}

const ShareBody = z.strictObject({ secret: z.string().max(200) });
const SignInBody = z.strictObject({ token: z.string().max(200) });

/** Creates the routes of the dashboard: its views, its files, POST /dashboard/sign-in and POST /dashboard/share. */
export function dashboardRoutes(options: DashboardOptions): readonly HttpRoute[] {
  const html = page(options.version, options.practiceShopUrl);
  const view = () => htmlResponse(html, CONTENT_SECURITY_POLICY);
  const assets = new Map<string, ReturnType<typeof staticAsset>>();
  return [
    ...['/dashboard', '/dashboard/{view}', '/dashboard/sessions/{session_id}'].map(path =>
      getRoute(path, view),
    ),
    getRoute(`${ASSETS_PATH}/{file}`, (http, { file = '' }) => {
      const [, extension] = ASSET_NAME.exec(file) ?? [];
      if (extension === undefined) throw notFound(file);
      const known =
        assets.get(file) ??
        staticAsset(() => readAsset(file), extension === 'js' ? JAVASCRIPT : CSS, cacheFor(file));
      return known(http).then(response => {
        // Kept only once it was read: the names that callers make up must not fill the memory.
        assets.set(file, known);
        return response;
      });
    }),
    { method: 'POST', path: '/dashboard/sign-in', handle: http => signIn(http, options) },
    { method: 'POST', path: '/dashboard/share', handle: http => openShareLink(http, options) },
  ];
}

async function signIn(http: HttpContext, options: DashboardOptions): Promise<HttpResponse> {
  const body = SignInBody.safeParse(await readJsonBody(http, MAX_SIGN_IN_BYTES));
  if (!body.success) throw validationFailure(body.error);
  const key = (await options.signInByLink?.(body.data.token)) ?? null;
  if (key !== null) return jsonResponse(200, { key }, { 'cache-control': 'no-store' });
  await options.countRefused(http.callerNetwork);
  throw new Failure(
    'INVALID_API_KEY',
    'This link has been used already, or the service has started again since. Each start prints a new one; an API key works too.',
  );
}

/** Exchanges the secret of a share link for a token that shows its session. The secret is in the body, which is in no log. */
async function openShareLink(http: HttpContext, options: DashboardOptions): Promise<HttpResponse> {
  const body = ShareBody.safeParse(await readJsonBody(http, MAX_SIGN_IN_BYTES));
  if (!body.success) throw validationFailure(body.error);
  try {
    const { token, link } = await options.openShareLink(body.data.secret);
    const { sessionId, mode } = link;
    const expiresAt = formatTime(link.expiresAt);
    return jsonResponse(200, { token, sessionId, mode, expiresAt }, { 'cache-control': 'no-store' });
  } catch (error) {
    if (isFailure(error, 'SHARE_LINK_ENDED')) await options.countRefused(http.callerNetwork);
    throw error;
  }
}

// The names of the parts that are loaded when needed contain the hash of their content.
const cacheFor = (file: string): Record<string, string> =>
  /-[0-9A-Z]{8}\./.test(file)
    ? { 'cache-control': 'public, max-age=31536000, immutable' }
    : { 'cache-control': 'no-cache' };

const notFound = (file: string, cause?: unknown): Failure =>
  new Failure('NOT_FOUND', `The dashboard has no file ${file.slice(0, 100)}.`, { cause });

async function readAsset(file: string): Promise<string> {
  try {
    return await readFile(new URL(file, FOLDER), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw notFound(file, cause);
    throw cause;
  }
}
