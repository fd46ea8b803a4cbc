import type * as Jose from 'jose';
import { KEY_SCOPES, type Viewer } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { TokenAccounts } from '../../service/pagespace.ts';

/** The issuer of access tokens, and the audience that they must name. */
export interface OauthOptions {
  /** The issuer identifier, a URL: the claim `iss` of tokens. */
  readonly issuer: string;
  /** The URL of the issuer's public keys (RFC 7517). */
  readonly jwksUrl: string;
  /** The claim `aud` of tokens. Default: the URL of /mcp. */
  readonly audience: string | null;
}

/** Verifies one access token. @throws Failure INVALID_API_KEY, EXPIRED_API_KEY */
export type TokenVerifier = (token: string, audience: string) => Promise<Viewer>;

/** Signature algorithms with a public key. The service never shares a secret with the issuer. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_SUBJECT_CHARACTERS = 255;

export const isJwt = (credential: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(credential);

/**
 * Creates the verifier of an issuer. It fetches the issuer's keys when it needs them, and keeps them. Each subject of the
 * issuer has an account of its own, which its first valid token creates. The claim `scope` grants `read`, `operate` and `admin`.
 */
export function tokenVerifier(options: OauthOptions, accounts: TokenAccounts): TokenVerifier {
  let keys: ReturnType<typeof Jose.createRemoteJWKSet> | null = null;
  return async (token, audience) => {
    // Most services accept only API keys.
    const jose = await import('jose');
    keys ??= jose.createRemoteJWKSet(new URL(options.jwksUrl));
    const { payload } = await verify(jose, token, keys, {
      issuer: options.issuer,
      audience: options.audience ?? audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    }).catch((cause: unknown) => {
      throw tokenFailure(cause, jose.errors);
    });
    // The claim of a token that is signed can still be of any type, and two objects would be one text.
    const subject: unknown = payload.sub;
    if (typeof subject !== 'string' || subject === '' || subject.length > MAX_SUBJECT_CHARACTERS)
      throw new Failure('INVALID_API_KEY', 'The access token has no usable subject.');
    const granted = typeof payload.scope === 'string' ? payload.scope.split(' ') : [];
    const account = await accounts.accountOfSubject(options.issuer, subject);
    return {
      account,
      keyId: `oauth:${account.id}`,
      scopes: KEY_SCOPES.filter(scope => granted.includes(scope)),
    };
  };
}

/** Verifies a token with the key that its header names; with each of them if several keys of the issuer have that name, as while keys are replaced. */
async function verify(
  jose: typeof Jose,
  token: string,
  keys: Jose.JWTVerifyGetKey,
  options: Jose.JWTVerifyOptions,
): Promise<Jose.JWTVerifyResult> {
  const { JWKSMultipleMatchingKeys, JWSSignatureVerificationFailed } = jose.errors;
  try {
    return await jose.jwtVerify(token, keys, options);
  } catch (several) {
    if (!(several instanceof JWKSMultipleMatchingKeys)) throw several;
    for await (const key of several) {
      try {
        return await jose.jwtVerify(token, key, options);
      } catch (error) {
        if (!(error instanceof JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new JWSSignatureVerificationFailed();
  }
}

type JoseErrors = typeof Jose.errors;

function tokenFailure(cause: unknown, errors: JoseErrors): unknown {
  if (cause instanceof errors.JWTExpired)
    return new Failure('EXPIRED_API_KEY', 'The access token has expired.', { cause });
  if (cause instanceof errors.JWTClaimValidationFailed)
    return new Failure('INVALID_API_KEY', `The claim ${cause.claim} of the access token is not accepted.`, {
      cause,
    });
  if (isIssuerUnavailable(cause, errors))
    return new Failure('DEPENDENCY_UNAVAILABLE', 'The keys of the issuer of access tokens cannot be read.', {
      cause,
      retryAfterSeconds: 5,
    });
  if (!(cause instanceof errors.JOSEError)) return cause;
  return new Failure('INVALID_API_KEY', 'The access token is not one of the configured issuer.', { cause });
}

/** Returns true if the keys could not be fetched: no connection (`TypeError` of fetch), no response in time, another status than 200, no key set, or a key that Web Crypto refuses (`DOMException`). */
const isIssuerUnavailable = (cause: unknown, errors: JoseErrors): boolean =>
  cause instanceof TypeError ||
  cause instanceof DOMException ||
  cause instanceof errors.JWKSTimeout ||
  cause instanceof errors.JWKSInvalid ||
  (cause instanceof errors.JOSEError && cause.code === errors.JOSEError.code);
