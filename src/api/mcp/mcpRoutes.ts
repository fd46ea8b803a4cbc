/** MCP over streamable HTTP at /mcp, and the metadata of the protected resource (RFC 9728). */
import { isIP } from 'node:net';
import type { FairTurns } from '../../async/fairTurns.ts';
import { KEY_SCOPES, scopesGrant, type Viewer } from '../../domain/account/account.ts';
import { RequestRateLimit } from '../../domain/account/rateLimit.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import { cutText, escapeLineSeparators } from '../../domain/space/pageText.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import { authenticate } from '../auth/authenticate.ts';
import { isJwt, type OauthOptions, type TokenVerifier, tokenVerifier } from '../auth/oauthTokens.ts';
import type { Log } from '../graphql/requestContext.ts';
import { endOnKeyExpiry } from '../graphql/transport/graphqlHandler.ts';
import { type HttpContext, readJsonBody } from '../http/httpContext.ts';
import { type HttpResponse, jsonResponse, withHeaders } from '../http/httpResponse.ts';
import { getRoute, type HttpRoute } from '../http/httpRoute.ts';
import { recordSessionId } from '../http/requestRecord.ts';
import { type ErrorDeps, errorResponse } from '../rest/problem.ts';
import { calledTool, messageCount, paramsError } from './mcpMessages.ts';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/**
 * Requires that `Host` names this service: the host of its public URL, an IP address, or a name without a dot (localhost,
 * a container). Public DNS cannot make one of those point here (DNS rebinding). Requires that `Origin`, which browsers
 * send, is the service's own or one that the operator has allowed, or that a page and a service on the same machine talk to each other.
 * @param origin the service's own origin
 * @throws Failure ORIGIN_REFUSED
 */
function assertAllowedCaller(
  { headers, isLocal, isAllowedOrigin }: Pick<HttpContext, 'headers' | 'isLocal' | 'isAllowedOrigin'>,
  origin: string,
): void {
  const host = headers.host ?? '';
  if (host !== new URL(origin).host && !isUnambiguous(hostNameOf(`http://${host}`)))
    throw refused(`The Host ${JSON.stringify(host.slice(0, 100))} is not this service.`);
  const sent = headers.origin;
  if (sent === undefined || sent === origin || isAllowedOrigin) return;
  if (isLocal && LOOPBACK.test(hostNameOf(sent))) return;
  throw refused(`Pages of ${cutText(sent, 100)} may not use this service.`);
}

const hostNameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

const isUnambiguous = (name: string): boolean =>
  name !== '' && (!name.includes('.') || isIP(name) !== 0 || isIP(name.replace(/^\[|\]$/g, '')) !== 0);

const refused = (detail: string): Failure => new Failure('ORIGIN_REFUSED', detail);

const MCP_PATH = '/mcp';
const METADATA_PATH = '/.well-known/oauth-protected-resource';

export interface McpRoutesDeps extends ErrorDeps {
  readonly service: Pagespace;
  readonly log: Log;
  readonly turns: FairTurns;
  readonly version: string;
  /** Returns the service's own origin, which is known only when the server listens. */
  readonly origin: () => string;
  readonly oauth?: OauthOptions | undefined;
}

/**
 * Creates the routes of MCP. One handler serves the stateless revision 2026-07-28 and, with a fresh server for each request,
 * those of 2025. No route keeps anything between two requests: a session is a handle in the arguments of a tool.
 */
export function mcpRoutes(deps: McpRoutesDeps): readonly HttpRoute[] {
  const { oauth, origin } = deps;
  const verify = oauth === undefined ? null : tokenVerifier(oauth, deps.service);
  const handle = (http: HttpContext): Promise<HttpResponse> => handleMcp(http, deps, verify);
  const metadata = () => jsonResponse(200, resourceMetadata(origin(), oauth?.issuer ?? ''));
  return [
    { method: 'POST', path: MCP_PATH, handle },
    getRoute(MCP_PATH, handle),
    ...(oauth === undefined
      ? []
      : [getRoute(METADATA_PATH, metadata), getRoute(`${METADATA_PATH}${MCP_PATH}`, metadata)]),
  ];
}

const resourceMetadata = (origin: string, issuer: string) => ({
  resource: `${origin}${MCP_PATH}`,
  authorization_servers: [issuer],
  scopes_supported: KEY_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'pagespace',
  resource_documentation: `${origin}/docs`,
});

async function handleMcp(
  http: HttpContext,
  deps: McpRoutesDeps,
  verify: TokenVerifier | null,
): Promise<HttpResponse> {
  const { service, log, turns, version, origin } = deps;
  const { record, requestId, signal } = http;
  const rateLimit = new RequestRateLimit(service);
  try {
    assertAllowedCaller(http, origin());
    const viewer: Viewer = { ...(await viewerOf(http, deps, verify)), kind: 'mcp' };
    const parsedBody = http.method === 'POST' ? await readJsonBody(http) : undefined;
    await rateLimit.consume(viewer, messageCount(parsedBody));
    const tool = calledTool(parsedBody);
    if (tool !== null) record.operation = `mcp ${tool.listing.name}`;
    // A client can ask its user for more scopes only if the response says which.
    if (tool !== null && isTokenViewer(viewer) && !scopesGrant(viewer.scopes, tool.scope))
      throw new Failure('SCOPE_DENIED', `The tool ${tool.listing.name} needs the scope ${tool.scope}.`);
    const invalid = paramsError(parsedBody, revisionOf(http));
    if (invalid !== null) return withHeaders(jsonResponse(200, invalid), rateLimit.headers);
    await turns.of(viewer.account.id).next();
    const context = { service: recordSessionId(service, record), viewer, signal, log, record };
    const [{ createMcpHandler }, { createMcpServer }] = await loadMcpServer();
    const handler = createMcpHandler(() => createMcpServer(context, version), {
      onerror: err => log.debug({ err, requestId }, 'an MCP request was refused'),
    });
    const request = new Request(`${origin()}${MCP_PATH}`, {
      method: http.method,
      headers: headersOf(http),
      signal,
      ...(parsedBody !== undefined && { body: '{}' }),
    });
    const response = await handler.fetch(request, { parsedBody });
    const result = endOnKeyExpiry(await toHttpResponse(response), end => service.onKeyEnd(viewer, end));
    return withHeaders(result, rateLimit.headers);
  } catch (error) {
    const response = withHeaders(errorResponse(error, http, deps), rateLimit.headers);
    const challenge = challengeOf(error, http, deps);
    return challenge === null ? response : withHeaders(response, { 'www-authenticate': challenge });
  }
}

/** Loads the MCP library with the first request: it takes a twelfth of a start, and many services never use it. */
const loadMcpServer = () =>
  Promise.all([import('@modelcontextprotocol/server'), import('./createMcpServer.ts')]);

/** Authenticates by an API key, or by an access token if an issuer is configured. @throws Failure as `authenticate` */
async function viewerOf(
  http: HttpContext,
  { service, origin }: McpRoutesDeps,
  verify: TokenVerifier | null,
): Promise<Viewer> {
  const token = /^Bearer (\S+)$/i.exec(http.headers.authorization ?? '')?.[1];
  if (verify === null || token === undefined || !isJwt(token)) return authenticate(service, http);
  try {
    const viewer = await verify(token, `${origin()}${MCP_PATH}`);
    http.record.accountId = viewer.account.id;
    return viewer;
  } catch (error) {
    if (isFailure(error)) await service.countRefusedKey(http.callerNetwork);
    throw error;
  }
}

const isTokenViewer = ({ keyId }: Viewer): boolean => keyId.startsWith('oauth:');

/** Returns WWW-Authenticate (RFC 6750, RFC 9728) for a refused credential; null for other errors. */
function challengeOf(
  error: unknown,
  { headers }: HttpContext,
  { oauth, origin }: McpRoutesDeps,
): string | null {
  if (!isFailure(error) || oauth === undefined) return null;
  const { status } = error.definition;
  const reason =
    status === 403 ? 'insufficient_scope' : headers.authorization === undefined ? null : 'invalid_token';
  if (status !== 401 && error.code !== 'SCOPE_DENIED') return null;
  const parts = [
    ...(reason === null ? [] : [`error="${reason}"`]),
    'scope="read operate"',
    `resource_metadata="${origin()}${METADATA_PATH}${MCP_PATH}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}

function revisionOf({ headers }: HttpContext): string | undefined {
  const revision = headers['mcp-protocol-version'];
  return typeof revision === 'string' ? revision : undefined;
}

/** The request's headers without the credential, which the MCP server must not see. */
function headersOf({ headers }: HttpContext): Headers {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && !NOT_FORWARDED.has(name)) copy.set(name, value);
  return copy;
}

const NOT_FORWARDED = new Set([
  'authorization',
  'cookie',
  'connection',
  'content-length',
  'content-encoding',
  'expect',
  'host',
  'transfer-encoding',
]);

async function toHttpResponse(response: Response): Promise<HttpResponse> {
  const headers = { 'cache-control': 'no-store', ...Object.fromEntries(response.headers) };
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const body =
    isStream && response.body !== null
      ? escapedLines(response.body)
      : escapeLineSeparators(await response.text());
  return { status: response.status, headers, body };
}

function escapedLines(events: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const transform = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, stream) =>
      stream.enqueue(encoder.encode(escapeLineSeparators(decoder.decode(chunk, { stream: true })))),
  });
  return events.pipeThrough(transform);
}
