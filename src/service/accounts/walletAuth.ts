/** Signing in with a wallet, and the visits that follow. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Account, Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { RateLimiter } from '../../domain/ports/rateLimiter.ts';
import type { WalletStore } from '../../domain/ports/walletStore.ts';
import type { WalletVerifier } from '../../domain/ports/walletVerifier.ts';
import type { WalletMessage } from '../../domain/wallet.ts';

/** Signing in as the doors call it. `origin` is the service's own, as its callers write it: `https://pagespace.example`. */
export interface WalletAuth {
  /**
   * The message for a wallet to sign. It can be used once, within five minutes.
   * @param caller the caller's network address, for the limit of such messages
   * @throws Failure VALIDATION_ERROR when the wallet's address is none; RATE_LIMITED
   */
  createWalletChallenge(origin: string, address: string, caller: string): Promise<string>;
  /**
   * Begins a visit of the wallet's account, which is made with the first.
   * @returns the cookie's token and for how many seconds it is good
   * @throws Failure WALLET_REFUSED
   */
  signInWithWallet(
    origin: string,
    signed: { readonly message: string; readonly signature: string },
  ): Promise<{ readonly token: string; readonly seconds: number }>;
  /** Who visits with this token. @throws Failure WALLET_REFUSED when the visit is over */
  authenticateWebSession(token: string): Promise<Viewer>;
  /** Ends the visit. Idempotent. */
  signOut(token: string): Promise<void>;
}

/** What the desk works with. */
export interface WalletAuthDeps {
  readonly wallets: WalletStore;
  readonly walletVerifier: WalletVerifier;
  /** The chain that messages must name (EIP-155). */
  readonly walletChainId: number;
}

const MESSAGE_TTL_MS = 300_000;
/** Clocks of wallets are not ours, but the message's times are: this much only. */
const MAX_CLOCK_SKEW_MS = 30_000;
const WEB_SESSION_TTL_SECONDS = 43_200;
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
  /** @throws Failure WALLET_REFUSED saying which rule the message breaks */
  function validateMessage(message: WalletMessage, origin: string): void {
    const now = clock.now();
    const { host } = new URL(origin);
    if (message.domain !== host || !hasOrigin(message.uri, origin))
      throw walletRefused(`The message is for ${message.domain.slice(0, 100)}, not for ${host}.`);
    if (message.chainId !== walletChainId)
      throw walletRefused(`The message is for chain ${message.chainId}, not for chain ${walletChainId}.`);
    if (message.expiresAt <= now) throw walletRefused('The message has expired. Connect again.');
    if (message.issuedAt > now + MAX_CLOCK_SKEW_MS) throw walletRefused('The message is of a time to come.');
  }

  return {
    async createWalletChallenge(origin, address, caller) {
      const left = await limiter.consume(`wallet ${caller}`, 1, MAX_CHALLENGES_PER_MINUTE);
      if (!left.granted)
        throw new Failure(
          'RATE_LIMITED',
          `Too many sign-ins were begun. Wait ${left.resetSeconds} seconds.`,
          {
            retryAfterSeconds: left.resetSeconds,
          },
        );
      const issuedAt = clock.now();
      const expiresAt = issuedAt + MESSAGE_TTL_MS;
      const nonce = randomBytes(16).toString('hex');
      const { host } = new URL(origin);
      const message = {
        address,
        chainId: walletChainId,
        domain: host,
        uri: origin,
        nonce,
        issuedAt,
        expiresAt,
      };
      const text = await walletVerifier.formatMessage(message);
      if (text === null) {
        const message = 'must be an Ethereum address: 0x and 40 hexadecimal digits';
        throw new Failure('VALIDATION_ERROR', `address ${message}.`, {
          errors: [{ path: 'address', message }],
        });
      }
      await wallets.saveNonce(nonce, expiresAt, issuedAt);
      return text;
    },

    async signInWithWallet(origin, { message: text, signature }) {
      const message = await walletVerifier.parseMessage(text);
      if (message === null) throw walletRefused('This is no message of a sign-in.');
      validateMessage(message, origin);
      if ((await walletVerifier.formatMessage(message)) !== text)
        throw walletRefused('The message is not as it was written here. Connect again.');
      // Gone before it is known whether the signature is good: a nonce is tried once.
      if (!(await wallets.consumeNonce(message.nonce, clock.now())))
        throw walletRefused('The message was used already, or was not made here. Connect again.');
      if (!(await walletVerifier.verifySignature(text, signature, message.address)))
        throw walletRefused('The signature is not of this message by this wallet.');
      const now = clock.now();
      const address = message.address.toLowerCase();
      const fresh: Account = { id: randomUUID(), name: message.address, tier: 'free', createdAt: now };
      const account = await wallets.findOrCreateAccount(address, fresh);
      const token = randomBytes(32).toString('base64url');
      const expiresAt = now + WEB_SESSION_TTL_SECONDS * 1_000;
      await wallets.saveWebSession(
        { hash: hashToken(token), accountId: account.id, address, expiresAt },
        now,
      );
      return { token, seconds: WEB_SESSION_TTL_SECONDS };
    },

    async authenticateWebSession(token) {
      const visit = await wallets.findWebSession(hashToken(token));
      const [account] =
        visit === null || visit.expiresAt <= clock.now() ? [] : await accounts.accounts([visit.accountId]);
      if (visit === null || account == null)
        throw walletRefused('You are not signed in any more. Connect again.');
      return { account, keyId: `wallet:${visit.address}`, scopes: ['read', 'operate', 'admin'] };
    },

    signOut: token => wallets.deleteWebSession(hashToken(token)),
  };
}

const hasOrigin = (uri: string, origin: string): boolean =>
  URL.canParse(uri) && new URL(uri).origin === origin;

const walletRefused = (detail: string): Failure => new Failure('WALLET_REFUSED', detail);
