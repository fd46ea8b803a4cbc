/** Writes, parses and verifies EIP-4361 messages with viem. viem is large, so it is imported only at the first sign-in. */
import type { WalletVerifier } from '../domain/ports/walletVerifier.ts';

/** Timeout of a call to `rpcUrl`, in milliseconds. It is short, because a user waits for the sign-in. */
const RPC_TIMEOUT_MS = 5_000;

/**
 * Creates the verifier of wallet sign-in messages, with viem.
 * @param rpcUrl an Ethereum JSON-RPC endpoint that verifies signatures of contract wallets (ERC-1271); null to accept
 * only signatures of keys
 */
export function viemWalletVerifier(rpcUrl: string | null): WalletVerifier {
  return {
    async formatMessage({ address, issuedAt, expiresAt, ...message }) {
      const [{ createSiweMessage, SiweInvalidMessageFieldError }, { getAddress, isAddress }] =
        await Promise.all([import('viem/siwe'), import('viem/utils')]);
      if (!isAddress(address, { strict: false })) return null;
      try {
        return createSiweMessage({
          ...message,
          address: getAddress(address),
          version: '1',
          statement: 'Sign in to pagespace. This costs nothing and moves nothing.',
          issuedAt: new Date(issuedAt),
          expirationTime: new Date(expiresAt),
        });
      } catch (error) {
        // The fields can be those of a message that a caller has altered.
        if (error instanceof SiweInvalidMessageFieldError) return null;
        throw error;
      }
    },

    async parseMessage(text) {
      const { parseSiweMessage } = await import('viem/siwe');
      const read = parseSiweMessage(text);
      const { address, chainId, domain, uri, nonce, issuedAt, expirationTime, version } = read;
      if (version !== '1' || read.notBefore !== undefined) return null;
      if (address === undefined || chainId === undefined || domain === undefined) return null;
      if (uri === undefined || nonce === undefined || !issuedAt || !expirationTime) return null;
      const times = { issuedAt: issuedAt.getTime(), expiresAt: expirationTime.getTime() };
      // viem reads a time that is none as an invalid date.
      if (Number.isNaN(times.issuedAt) || Number.isNaN(times.expiresAt)) return null;
      return { address, chainId, domain, uri, nonce, ...times };
    },

    async verifySignature(text, signature, address) {
      const { isAddress, isHex, verifyMessage } = await import('viem/utils');
      if (!isAddress(address, { strict: false }) || !isHex(signature)) return false;
      const signed = { address, message: text, signature };
      // viem throws an error for a malformed signature.
      if (await verifyMessage(signed).catch(() => false)) return true;
      if (rpcUrl === null) return false;
      const { createPublicClient, http } = await import('viem');
      const transport = http(rpcUrl, { timeout: RPC_TIMEOUT_MS, retryCount: 1 });
      // viem also throws for a signature in a wrapper (ERC-6492, ERC-8010) that it cannot read: the caller wrote it.
      return createPublicClient({ transport })
        .verifyMessage(signed)
        .catch(() => false);
    },
  };
}
