/** Signing in with a wallet, for the home page: /wallet/challenge, /wallet/sign-in, /wallet/visit, /wallet/sign-out. */
import { z } from 'zod';
import { Failure, isFailure } from '../../domain/failures.ts';
import type { RateLimit, WalletAuth } from '../../service/pagespace.ts';
import {
  type Handler,
  type HttpContext,
  type HttpResponse,
  isJsonType,
  jsonResponse,
  withHeaders,
} from '../http/httpContext.ts';
import { parseJson } from '../http/parseJson.ts';
import { validationFailure } from '../http/validationFailure.ts';
import { assertOwnOrigin } from './assertOwnOrigin.ts';
import { countRefusals } from './countRefusals.ts';
import { webSessionCookie, webSessionToken } from './webSessionCookie.ts';

const ChallengeBody = z.strictObject({ address: z.string().max(100) });
const SignInBody = z.strictObject({ message: z.string().max(4_000), signature: z.string().max(20_000) });
const EmptyBody = z.strictObject({});

/** A body is held in memory before anybody knows whose it is; the longest of these are a message and its signature. */
const MAX_WALLET_BODY_BYTES = 50_000;

type WalletService = WalletAuth & Pick<RateLimit, 'countRefusedKey'>;

/**
 * @param origin the service's own, known once it listens
 * @param tell writes a failure as an answer
 */
export function walletHandler(
  service: WalletService,
  origin: () => string,
  tell: (error: unknown, exchange: HttpContext) => HttpResponse,
): Handler {
  const paths: Readonly<Record<string, (exchange: HttpContext) => Promise<HttpResponse>>> = {
    '/wallet/challenge': async exchange => {
      const { address } = await readBody(exchange, ChallengeBody);
      return jsonResponse(200, {
        message: await service.createWalletChallenge(origin(), address, exchange.callerNetwork),
      });
    },
    '/wallet/sign-in': async exchange => {
      const signed = await readBody(exchange, SignInBody);
      const { token, seconds } = await countRefusals(service, exchange.callerNetwork, () =>
        service.signInWithWallet(origin(), signed),
      );
      return jsonResponse(200, {}, { 'set-cookie': webSessionCookie(origin(), token, seconds) });
    },
    '/wallet/visit': async exchange => {
      await readBody(exchange, EmptyBody);
      const token = webSessionToken(exchange, origin());
      return jsonResponse(200, {
        signed_in: token !== null && (await isSignedIn(service, exchange.callerNetwork, token)),
      });
    },
    '/wallet/sign-out': async exchange => {
      await readBody(exchange, EmptyBody);
      const token = webSessionToken(exchange, origin());
      if (token !== null) await service.signOut(token);
      return jsonResponse(200, {}, { 'set-cookie': webSessionCookie(origin(), '', 0) });
    },
  };
  return async exchange => {
    const path = Object.hasOwn(paths, exchange.path) ? paths[exchange.path] : undefined;
    if (path === undefined) return null;
    if (exchange.method !== 'POST') {
      const failure = new Failure(
        'METHOD_NOT_ALLOWED',
        `${exchange.path} takes POST, not ${exchange.method}.`,
      );
      return withHeaders(tell(failure, exchange), { allow: 'POST' });
    }
    assertOwnOrigin(exchange, origin());
    return path(exchange);
  };
}

async function isSignedIn(service: WalletService, address: string, token: string): Promise<boolean> {
  try {
    await countRefusals(service, address, () => service.authenticateWebSession(token));
    return true;
  } catch (error) {
    if (isFailure(error, 'WALLET_REFUSED')) return false;
    throw error;
  }
}

async function readBody<Body>(exchange: HttpContext, schema: z.ZodType<Body>): Promise<Body> {
  if (!isJsonType(exchange.headers['content-type']))
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON.');
  const body = schema.safeParse(parseJson(await exchange.readText(MAX_WALLET_BODY_BYTES)));
  if (!body.success) throw validationFailure(body.error);
  return body.data;
}
