/** Signing in with a wallet, and the cookie of the web session: scripts cannot read it, and browsers do not send it from other sites. */

import { z } from 'zod';
import type { Viewer } from '../../domain/account/account.ts';
import type { RateLimit } from '../../domain/account/rateLimit.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { WalletAuth } from '../../service/pagespace.ts';
import { type HttpContext, readJsonBody } from '../http/httpContext.ts';
import { type HttpResponse, jsonResponse } from '../http/httpResponse.ts';
import type { HttpRoute } from '../http/httpRoute.ts';
import { validationFailure } from '../http/validationFailure.ts';
import { countRefusals } from './authenticate.ts';

// `__Host-` binds the cookie to this host and to TLS. Without TLS, as on loopback, browsers refuse that prefix.
const cookieName = (origin: string): string =>
  origin.startsWith('https:') ? '__Host-pagespace_visit' : 'pagespace_visit';

/** Returns the `Set-Cookie` header of a web session of `seconds` (0 deletes it); for an `https:` origin with the prefix `__Host-` and `Secure`. */
export function webSessionCookie(origin: string, token: string, seconds: number): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(origin)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

/** Returns the token of a web session in the request's cookies; null if it has none. */
export function webSessionToken({ headers }: Pick<HttpContext, 'headers'>, origin: string): string | null {
  const name = cookieName(origin);
  for (const part of headers.cookie?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined && /^[\w-]{20,100}$/.test(value)) return value;
  }
  return null;
}

/** Requires the service's own `Origin`, which browsers send with every POST and pages cannot set. @throws Failure ORIGIN_REFUSED */
export function assertOwnOrigin({ headers }: Pick<HttpContext, 'headers'>, origin: string): void {
  if (headers.origin === origin) return;
  throw new Failure(
    'ORIGIN_REFUSED',
    `Wallet sign-in works only on ${origin}. Open the page there, or use an API key.`,
  );
}

/**
 * Authenticates a request by the cookie of a web session, which the dashboard uses. Accepts the cookie only for POST
 * requests without an `Authorization` header that do not ask for server-sent events.
 * @param origin the service's own origin
 * @returns the viewer; null if the cookie is missing or not accepted, so that the request needs an API key
 * @throws Failure ORIGIN_REFUSED, WALLET_REFUSED, RATE_LIMITED
 */
export async function webSessionViewer(
  service: WalletAuth & Pick<RateLimit, 'countRefusedKey'>,
  http: HttpContext,
  origin: string,
): Promise<Viewer | null> {
  const { headers, method } = http;
  if (headers.authorization !== undefined || method !== 'POST') return null;
  if (headers.accept?.includes('text/event-stream') === true) return null;
  const token = webSessionToken(http, origin);
  if (token === null) return null;
  assertOwnOrigin(http, origin);
  const viewer = await countRefusals(service, http.callerNetwork, () =>
    service.authenticateWebSession(token),
  );
  http.record.accountId = viewer.account.id;
  return { ...viewer, kind: 'person' };
}

const ChallengeBody = z.strictObject({ address: z.string().max(100) });
const SignInBody = z.strictObject({ message: z.string().max(4_000), signature: z.string().max(20_000) });
const EmptyBody = z.strictObject({});

/** Small, because the body (a message and its signature) is read before the caller is authenticated. */
const MAX_WALLET_BODY_BYTES = 50_000;

type WalletService = WalletAuth & Pick<RateLimit, 'countRefusedKey'>;

export function walletRoutes(service: WalletService, origin: () => string): readonly HttpRoute[] {
  const post = (path: string, handle: (http: HttpContext) => Promise<HttpResponse>): HttpRoute => ({
    method: 'POST',
    path,
    handle(http) {
      assertOwnOrigin(http, origin());
      return handle(http);
    },
  });
  return [
    post('/wallet/challenge', async http => {
      const { address } = await readBody(http, ChallengeBody);
      const message = await service.createWalletChallenge(origin(), address, http.callerNetwork);
      return jsonResponse(200, { message });
    }),
    post('/wallet/sign-in', async http => {
      const signed = await readBody(http, SignInBody);
      const { token, seconds } = await countRefusals(service, http.callerNetwork, () =>
        service.signInWithWallet(origin(), signed),
      );
      return jsonResponse(200, {}, { 'set-cookie': webSessionCookie(origin(), token, seconds) });
    }),
    post('/wallet/visit', async http => {
      await readBody(http, EmptyBody);
      const token = webSessionToken(http, origin());
      return jsonResponse(200, { signed_in: token !== null && (await isSignedIn(service, http, token)) });
    }),
    post('/wallet/sign-out', async http => {
      await readBody(http, EmptyBody);
      const token = webSessionToken(http, origin());
      if (token !== null) await service.signOut(token);
      return jsonResponse(200, {}, { 'set-cookie': webSessionCookie(origin(), '', 0) });
    }),
  ];
}

async function isSignedIn(service: WalletService, http: HttpContext, token: string): Promise<boolean> {
  try {
    const authenticate = () => service.authenticateWebSession(token);
    const viewer = await countRefusals(service, http.callerNetwork, authenticate);
    http.record.accountId = viewer.account.id;
    return true;
  } catch (error) {
    if (isFailure(error, 'WALLET_REFUSED')) return false;
    throw error;
  }
}

async function readBody<Body>(http: HttpContext, schema: z.ZodType<Body>): Promise<Body> {
  const body = schema.safeParse(await readJsonBody(http, MAX_WALLET_BODY_BYTES));
  if (!body.success) throw validationFailure(body.error);
  return body.data;
}
