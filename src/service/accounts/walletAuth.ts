import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Account, Viewer, WalletMessage } from '../../domain/account/account.ts';
import type { RateLimiter } from '../../domain/account/rateLimit.ts';
import { Failure, fieldFailure } from '../../domain/failure/failures.ts';
import type { AccountStore, WalletStore, WalletVerifier } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { cutText } from '../../domain/space/pageText.ts';

/** Signs callers in with their wallet. `origin` is the origin of the service as callers write it: `https://pagespace.example`. */
export interface WalletAuth {
  /** The message can be used once, within five minutes. @throws Failure VALIDATION_ERROR for a wrong address; RATE_LIMITED */
  createWalletChallenge(origin: string, address: string, caller: string): Promise<string>;
  /** Starts a web session for the account of the wallet, creating it if needed. @returns the token for the cookie, and its lifetime in seconds @throws Failure WALLET_REFUSED if message or signature are not valid */
  signInWithWallet(
    origin: string,
    signed: { readonly message: string; readonly signature: string },
  ): Promise<{ readonly token: string; readonly seconds: number }>;
  /** Returns the viewer of the web session with this token. @throws Failure WALLET_REFUSED if it has ended or does not exist */
  authenticateWebSession(token: string): Promise<Viewer>;
  /** Ends the web session with this token. Idempotent. */
  signOut(token: string): Promise<void>;
}

export interface WalletAuthDeps {
  readonly wallets: WalletStore;
  readonly walletVerifier: WalletVerifier;
  /** The EIP-155 id of the chain that every sign-in message must name. */
  readonly walletChainId: number;
}

const MESSAGE_TTL_MS = 300_000;
/** The service itself wrote `issuedAt`: only a jump of its own clock can set it in the future. Milliseconds. */
const MAX_CLOCK_SKEW_MS = 30_000;
const WEB_SESSION_TTL_SECONDS = 43_200;
/** Maximum number of sign-in messages per minute and network address. */
const MAX_CHALLENGES_PER_MINUTE = 30;

const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

export function createWalletAuth({
  wallets,
  walletVerifier,
  walletChainId,
  accounts,
  limiter,
  clock,
}: WalletAuthDeps & {
  readonly accounts: AccountStore;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}): WalletAuth {
  /** @throws Failure WALLET_REFUSED with the rule on domain, chain or time that the message violates */
  function validateMessage(message: WalletMessage, origin: string): void {
    const now = clock.now();
    const { host } = new URL(origin);
    if (message.domain !== host || !hasOrigin(message.uri, origin))
      throw walletRefused(`The message is for ${cutText(message.domain, 100)}, not for ${host}.`);
    if (message.chainId !== walletChainId)
      throw walletRefused(`The message is for chain ${message.chainId}, not for chain ${walletChainId}.`);
    if (message.expiresAt <= now) throw walletRefused('The message has expired. Connect again.');
    if (message.issuedAt > now + MAX_CLOCK_SKEW_MS)
      throw walletRefused('The issue time of the message is in the future.');
  }

  return {
    async createWalletChallenge(origin, address, caller) {
      const { granted, resetSeconds } = await limiter.consume(
        `wallet ${caller}`,
        1,
        MAX_CHALLENGES_PER_MINUTE,
      );
      if (!granted)
        throw new Failure('RATE_LIMITED', `Too many sign-in attempts. Wait ${resetSeconds} seconds.`, {
          retryAfterSeconds: resetSeconds,
        });
      const issuedAt = clock.now();
      const expiresAt = issuedAt + MESSAGE_TTL_MS;
      const nonce = randomBytes(16).toString('hex');
      const text = await walletVerifier.formatMessage({
        address,
        chainId: walletChainId,
        domain: new URL(origin).host,
        uri: origin,
        nonce,
        issuedAt,
        expiresAt,
      });
      if (text === null)
        throw fieldFailure('address', 'must be an Ethereum address: 0x and 40 hexadecimal digits');
      await wallets.saveNonce(hashToken(text), expiresAt, issuedAt);
      return text;
    },

    async signInWithWallet(origin, { message: text, signature }) {
      const message = await walletVerifier.parseMessage(text);
      if (message === null) throw walletRefused('The text is not a sign-in message.');
      validateMessage(message, origin);
      if ((await walletVerifier.formatMessage(message)) !== text)
        throw walletRefused('The message differs from the one that this service wrote. Connect again.');
      // The hash of the whole text is stored, so that no part of it can be altered, its times included. It is consumed before the
      // signature check, so that a message allows only one attempt.
      if (!(await wallets.consumeNonce(hashToken(text), clock.now())))
        throw walletRefused('The message was used already, or this service did not write it. Connect again.');
      if (!(await walletVerifier.verifySignature(text, signature, message.address)))
        throw walletRefused('The signature does not match the message and the wallet.');
      const now = clock.now();
      const address = message.address.toLowerCase();
      const newAccount: Account = { id: randomUUID(), name: message.address, tier: 'free', createdAt: now };
      const account = await wallets.findOrCreateAccount(address, newAccount);
      const token = randomBytes(32).toString('base64url');
      const expiresAt = now + WEB_SESSION_TTL_SECONDS * 1_000;
      await wallets.saveWebSession(
        { hash: hashToken(token), accountId: account.id, address, expiresAt },
        now,
      );
      return { token, seconds: WEB_SESSION_TTL_SECONDS };
    },

    async authenticateWebSession(token) {
      const session = await wallets.findWebSession(hashToken(token));
      const [account] =
        session === null || session.expiresAt <= clock.now()
          ? []
          : await accounts.accounts([session.accountId]);
      if (session === null || account == null)
        throw walletRefused('You are no longer signed in. Connect again.');
      return {
        account,
        keyId: `wallet:${session.address}`,
        scopes: ['read', 'operate', 'admin'],
        kind: 'person',
      };
    },

    signOut: token => wallets.deleteWebSession(hashToken(token)),
  };
}

const hasOrigin = (uri: string, origin: string): boolean =>
  URL.canParse(uri) && new URL(uri).origin === origin;

const walletRefused = (detail: string): Failure => new Failure('WALLET_REFUSED', detail);
