/** Sign-in with an Ethereum wallet (EIP-4361), for the home page. */
import { z } from 'zod';
import { isFailure } from '../../domain/failure/failures.ts';
import type { RateLimit, WalletAuth } from '../../service/pagespace.ts';
import { type HttpContext, readJsonBody } from '../http/httpContext.ts';
import { type HttpResponse, jsonResponse } from '../http/httpResponse.ts';
import type { HttpRoute } from '../http/httpRoute.ts';
import { validationFailure } from '../http/validationFailure.ts';
import { countRefusals } from './authenticate.ts';
import { assertOwnOrigin, webSessionCookie, webSessionToken } from './webSession.ts';

const ChallengeBody = z.strictObject({ address: z.string().max(100) });
const SignInBody = z.strictObject({ message: z.string().max(4_000), signature: z.string().max(20_000) });
const EmptyBody = z.strictObject({});

/**
 * Maximum size of a request body of wallet sign-in, which holds a message and its signature. It is small, because the body
 * is read before the caller is authenticated.
 */
const MAX_WALLET_BODY_BYTES = 50_000;

type WalletService = WalletAuth & Pick<RateLimit, 'countRefusedKey'>;

/**
 * Creates the routes of wallet sign-in: /wallet/challenge, /wallet/sign-in, /wallet/visit and /wallet/sign-out.
 * @param origin returns the service's own origin, which is known only when the server listens
 */
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
