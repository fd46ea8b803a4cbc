import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeFunctionData, hashMessage, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { describe, expect, it } from 'vitest';
import { createWalletVerifier } from '../../src/wallet/walletVerifier.ts';

const CONTRACT = '0x00000000000000000000000000000000000a11ce';
/** The answer of a contract that accepts the signature (ERC-1271). */
const ACCEPTED = `0x1626ba7e${'0'.repeat(56)}`;

/** Starts a JSON-RPC server that returns the same result for every call. */
async function chain(answer: string) {
  const calls: { method: string; params: unknown }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { id, method, params } = JSON.parse(body);
    calls.push({ method, params });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const signature = `0x${'11'.repeat(65)}` as const;

const hexWord = (value: number): string => value.toString(16).padStart(64, '0');

/** Fields of ERC-8010 that belong to no signature. */
const erc8010Forgery = (): string =>
  `${'00'.repeat(65)}${hexWord(0x20).repeat(20)}${hexWord(20 * 32)}${'8010'.repeat(16)}`;

describe('verifySignature()', () => {
  it.each(['hello', 'ä€😀', 'x'.repeat(1_000)])('accepts signatures of %j by its key only', async message => {
    const [owner, other] = [generatePrivateKey(), generatePrivateKey()].map(key => privateKeyToAccount(key));
    const signed = (await owner?.signMessage({ message })) ?? '';
    const verifier = createWalletVerifier(null);
    const address = owner?.address ?? '';
    // Some wallets write the recovery number as 0 and 1.
    const short = `${signed.slice(0, -2)}${signed.endsWith('1b') ? '00' : '01'}`;
    const wrong = `${signed.slice(0, -2)}${signed.endsWith('1b') ? '1c' : '1b'}`;
    expect(await verifier.verifySignature(message, signed, address)).toBe(true);
    expect(await verifier.verifySignature(message, signed, address.toLowerCase())).toBe(true);
    expect(await verifier.verifySignature(message, short, address)).toBe(true);
    expect(await verifier.verifySignature(message, wrong, address)).toBe(false);
    expect(await verifier.verifySignature(`${message}.`, signed, address)).toBe(false);
    expect(await verifier.verifySignature(message, signed, other?.address ?? '')).toBe(false);
    expect(await verifier.verifySignature(message, signed.slice(0, -2), address)).toBe(false);
    expect(await verifier.verifySignature(message, `0x${'00'.repeat(64)}1b`, address)).toBe(false);
  });

  it('accepts the signature of a key without a request to the chain', async () => {
    await using node = await chain('0x');
    const owner = privateKeyToAccount(generatePrivateKey());
    const signed = await owner.signMessage({ message: 'hello' });
    const verifier = createWalletVerifier(node.url);
    expect(await verifier.verifySignature('hello', signed, owner.address)).toBe(true);
    expect(node.calls).toEqual([]);
  });

  it('accepts a signature that the contract accepts', async () => {
    await using node = await chain(ACCEPTED);
    expect(await createWalletVerifier(node.url).verifySignature('hello', signature, CONTRACT)).toBe(true);
    expect(node.calls).toEqual([
      {
        method: 'eth_call',
        params: [
          {
            to: CONTRACT,
            data: encodeFunctionData({
              abi: parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)']),
              args: [hashMessage('hello'), signature],
            }),
          },
          'latest',
        ],
      },
    ]);
  });

  it.each([
    ['zero', `0x${'0'.repeat(64)}`],
    ['nothing, as an address without a contract does', '0x'],
    ['its input, as the address 0x…04 does', `0x1626ba7e${'0'.repeat(56)}${'11'.repeat(65)}`],
    ['true in place of the accepting value', `0x${hexWord(1)}`],
  ])('rejects a signature if the contract returns %s', async (_what, answer) => {
    await using node = await chain(answer);
    expect(await createWalletVerifier(node.url).verifySignature('hello', signature, CONTRACT)).toBe(false);
  });

  it.each([
    ['ERC-8010 around nothing', '8010'.repeat(16)],
    ['ERC-8010 around bytes that are none of its fields', `${'ab'.repeat(40)}${'8010'.repeat(16)}`],
    ['ERC-8010 with a length beyond its end', `${'ab'.repeat(65)}${'ff'.repeat(32)}${'8010'.repeat(16)}`],
    ['ERC-8010 with a recovery number that does not exist', erc8010Forgery()],
    ['ERC-6492 around nothing', '6492'.repeat(16)],
    ['ERC-6492 whose parts contain each other', `${hexWord(0x20).repeat(100)}${'6492'.repeat(16)}`],
  ])('rejects a signature in a wrapper: %s', async (_what, hex) => {
    await using node = await chain('0x');
    expect(await createWalletVerifier(node.url).verifySignature('hello', `0x${hex}`, CONTRACT)).toBe(false);
  });

  it('rejects the signature of a contract when the chain answers nonsense', async () => {
    await using node = await chain('nonsense');
    expect(await createWalletVerifier(node.url).verifySignature('hello', signature, CONTRACT)).toBe(false);
  });

  it('rejects the signature of a contract without a chain', async () => {
    expect(await createWalletVerifier(null).verifySignature('hello', signature, CONTRACT)).toBe(false);
  });

  it.each(['', '0x', 'nonsense', '0xzz'])('rejects the signature %j', async text => {
    expect(await createWalletVerifier(null).verifySignature('hello', text, CONTRACT)).toBe(false);
  });
});

describe('formatMessage() and parseMessage()', () => {
  const fields = {
    address: CONTRACT,
    chainId: 1,
    domain: 'pages.example.com',
    uri: 'https://pages.example.com',
    nonce: 'abcdefgh12345678',
    issuedAt: Date.parse('2026-03-09T12:00:00.000Z'),
    expiresAt: Date.parse('2026-03-09T12:05:00.000Z'),
  };

  it('parse a message that they formatted, unchanged', async () => {
    const verifier = createWalletVerifier(null);
    const text = (await verifier.formatMessage(fields)) ?? '';
    const read = await verifier.parseMessage(text);
    expect({ ...read, address: read?.address.toLowerCase() }).toEqual(fields);
    expect(text).toContain('pages.example.com wants you to sign in with your Ethereum account:');
  });

  it('write the same text as another library', async () => {
    for (let count = 0; count < 20; count++) {
      const { address } = privateKeyToAccount(generatePrivateKey());
      const text = await createWalletVerifier(null).formatMessage({
        ...fields,
        address: address.toLowerCase(),
      });
      expect(text).toBe(
        createSiweMessage({
          ...fields,
          address,
          version: '1',
          statement: 'Sign in to pagespace. This costs nothing and moves nothing.',
          issuedAt: new Date(fields.issuedAt),
          expirationTime: new Date(fields.expiresAt),
        }),
      );
    }
  });

  it('return null for an invalid address', async () => {
    expect(await createWalletVerifier(null).formatMessage({ ...fields, address: '0x12' })).toBeNull();
  });

  it.each(['', 'hello', 'x wants you to sign in'])('return null for the text %j', async text => {
    expect(await createWalletVerifier(null).parseMessage(text)).toBeNull();
  });
});
