/** Writes, parses and verifies sign-in messages: EIP-4361, with signatures of EIP-191 and ERC-1271. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { WalletVerifier } from '../domain/ports/accountStore.ts';

/** Timeout of a call to `rpcUrl`, in milliseconds. It is short, because a user waits for the sign-in. */
const RPC_TIMEOUT_MS = 5_000;
/** Number of times that a call is sent: a second time if the first one fails. */
const RPC_ATTEMPTS = 2;

/** `isValidSignature(bytes32,bytes)` of ERC-1271: the selector of the call, and the value that accepts a signature. */
const ERC1271_MAGIC = '1626ba7e';
/** The answer of a contract that accepts: `bytes4` in a word. An address that returns its input (0x…04) does not give it. */
const ERC1271_ACCEPTED = `0x${ERC1271_MAGIC.padEnd(64, '0')}`;

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HEX_BYTES = /^0x(?:[0-9a-f]{2})+$/i;
const DOMAIN = /^[a-z0-9.:[\]-]+$/i;
const NONCE = /^[a-z0-9]{8,}$/i;

/** The fields that a message must have, in the order of EIP-4361. */
const MESSAGE =
  /^(?<domain>\S+) wants you to sign in with your Ethereum account:\n(?<address>0x[0-9a-fA-F]{40})\n\n(?:.*\n)?\nURI: (?<uri>\S+)\nVersion: 1\nChain ID: (?<chainId>\d{1,15})\nNonce: (?<nonce>[a-zA-Z0-9]+)\nIssued At: (?<issuedAt>\S+)\nExpiration Time: (?<expiresAt>\S+)(?:\n|$)/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Verifies wallet sign-in messages. `rpcUrl`: an Ethereum JSON-RPC for contract wallets (ERC-1271); null accepts only signatures of keys. */
export function createWalletVerifier(rpcUrl: string | null): WalletVerifier {
  return {
    async formatMessage({ address, chainId, domain, uri, nonce, issuedAt, expiresAt }) {
      const [issued, expires] = [new Date(issuedAt), new Date(expiresAt)];
      // The fields can be those of a message that a caller has altered.
      if (!ADDRESS.test(address) || !DOMAIN.test(domain) || !URL.canParse(uri) || !NONCE.test(nonce))
        return null;
      if (Number.isNaN(issued.getTime()) || Number.isNaN(expires.getTime())) return null;
      return `${domain} wants you to sign in with your Ethereum account:
${checksummed(address)}

Sign in to pagespace. This costs nothing and moves nothing.

URI: ${uri}
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${issued.toISOString()}
Expiration Time: ${expires.toISOString()}`;
    },

    async parseMessage(text) {
      const { domain, address, uri, chainId, nonce, issuedAt, expiresAt } = MESSAGE.exec(text)?.groups ?? {};
      if (domain === undefined || address === undefined || uri === undefined || nonce === undefined)
        return null;
      const times = { issuedAt: readTime(issuedAt), expiresAt: readTime(expiresAt) };
      if (Number.isNaN(times.issuedAt) || Number.isNaN(times.expiresAt)) return null;
      return { address, chainId: Number(chainId), domain, uri, nonce, ...times };
    },

    async verifySignature(text, signature, address) {
      if (!ADDRESS.test(address) || !HEX_BYTES.test(signature)) return false;
      const hash = personalMessageHash(text);
      const bytes = Buffer.from(signature.slice(2), 'hex');
      if (signerOf(hash, bytes) === address.toLowerCase()) return true;
      return rpcUrl !== null && (await contractAccepts(rpcUrl, address, hash, bytes));
    },
  };
}

/** Returns a time of EIP-4361 in milliseconds since the epoch; NaN if the text is none. */
const readTime = (text = ''): number => (TIME.test(text) ? Date.parse(text) : Number.NaN);

/** Returns the address with the letter case that is its checksum (EIP-55), as EIP-4361 demands. */
function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex');
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}

/** The hash that a wallet signs for a text (`personal_sign`, EIP-191). */
function personalMessageHash(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]));
}

/** The last byte of a signature, with the number of the public key that it means (EIP-2098 and older wallets). */
const RECOVERY_NUMBERS = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);

/** Returns the address whose key made the signature (r, s and the recovery number: 65 bytes), in lower case; null if none did. */
function signerOf(hash: Uint8Array, signature: Uint8Array): string | null {
  const recovery = signature.length === 65 ? RECOVERY_NUMBERS.get(signature[64] ?? -1) : undefined;
  if (recovery === undefined) return null;
  try {
    const point = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact')
      .addRecoveryBit(recovery)
      .recoverPublicKey(hash);
    // The address is the end of the hash of both coordinates, without the byte of their format.
    const key = point.toBytes(false).subarray(1);
    return `0x${Buffer.from(keccak_256(key).subarray(-20)).toString('hex')}`;
  } catch {
    // The library throws if the numbers are no signature.
    return null;
  }
}

/** Asks the contract at the address whether it accepts the signature. False also if the endpoint does not answer. */
async function contractAccepts(
  rpcUrl: string,
  address: string,
  hash: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const word = (value: number): string => value.toString(16).padStart(64, '0');
  const hex = Buffer.from(signature).toString('hex');
  const paddedHex = hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
  // The hash; where the bytes begin, behind two words; their length; the bytes in whole words.
  const data = `0x${ERC1271_MAGIC}${Buffer.from(hash).toString('hex')}${word(64)}${word(signature.length)}${paddedHex}`;
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ to: address, data }, 'latest'],
    }),
  };
  for (let attempt = 1; attempt <= RPC_ATTEMPTS; attempt++)
    try {
      const response = await fetch(rpcUrl, { ...request, signal: AbortSignal.timeout(RPC_TIMEOUT_MS) });
      if (!response.ok) continue;
      const answer: { readonly result?: unknown } | null = await response.json();
      return typeof answer?.result === 'string' && answer.result.toLowerCase() === ERC1271_ACCEPTED;
    } catch {
      // The endpoint cannot be reached, or answers with no JSON: without its word the signature does not count.
    }
  return false;
}
