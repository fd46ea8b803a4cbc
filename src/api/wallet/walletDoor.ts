/** Signing in with a wallet, for the home page: /wallet/challenge, /wallet/sign-in, /wallet/visit, /wallet/sign-out. */
import { z } from 'zod';
import { Failure, isFailure } from '../../domain/failures.ts';
import type { Admission, WalletSignIn } from '../../service/verbs.ts';
import { type Answer, type Exchange, type Handler, isJson, json, withHeaders } from '../exchange.ts';
import { readJson } from '../readJson.ts';
import { validationFailure } from '../validationFailure.ts';
import { assertOwnOrigin } from './ownOrigin.ts';
import { unlessRefused } from './unlessRefused.ts';
import { visitCookie, visitToken } from './visitCookie.ts';

const Challenge = z.strictObject({ address: z.string().max(100) });
const SignIn = z.strictObject({ message: z.string().max(4_000), signature: z.string().max(20_000) });
const Nothing = z.strictObject({});

/** A body is held in memory before anybody knows whose it is; the longest of these are a message and its signature. */
const MOST_BYTES = 50_000;

type Desk = WalletSignIn & Pick<Admission, 'keyRefused'>;

/**
 * @param origin the service's own, known once it listens
 * @param tell writes a failure as an answer
 */
export function walletDoor(
  service: Desk,
  origin: () => string,
  tell: (error: unknown, exchange: Exchange) => Answer,
): Handler {
  const paths: Readonly<Record<string, (exchange: Exchange) => Promise<Answer>>> = {
    '/wallet/challenge': async exchange => {
      const { address } = await read(exchange, Challenge);
      return json(200, { message: await service.challenge(origin(), address, exchange.address) });
    },
    '/wallet/sign-in': async exchange => {
      const signed = await read(exchange, SignIn);
      const { token, seconds } = await unlessRefused(service, exchange.address, () =>
        service.signInByWallet(origin(), signed),
      );
      return json(200, {}, { 'set-cookie': visitCookie(origin(), token, seconds) });
    },
    '/wallet/visit': async exchange => {
      await read(exchange, Nothing);
      const token = visitToken(exchange, origin());
      return json(200, { signed_in: token !== null && (await isVisiting(service, exchange.address, token)) });
    },
    '/wallet/sign-out': async exchange => {
      await read(exchange, Nothing);
      const token = visitToken(exchange, origin());
      if (token !== null) await service.signOut(token);
      return json(200, {}, { 'set-cookie': visitCookie(origin(), '', 0) });
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

async function isVisiting(service: Desk, address: string, token: string): Promise<boolean> {
  try {
    await unlessRefused(service, address, () => service.visitor(token));
    return true;
  } catch (error) {
    if (isFailure(error, 'WALLET_REFUSED')) return false;
    throw error;
  }
}

async function read<Body>(exchange: Exchange, schema: z.ZodType<Body>): Promise<Body> {
  if (!isJson(exchange.headers['content-type']))
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON.');
  const body = schema.safeParse(readJson(await exchange.text(MOST_BYTES)));
  if (!body.success) throw validationFailure(body.error);
  return body.data;
}
