import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { viemWalletVerifier } from '../../src/wallet/viemWalletVerifier.ts';

const CONTRACT = '0x00000000000000000000000000000000000a11ce';
/** The result of the ERC-6492 validator when the contract (ERC-1271) accepts the signature. */
const ACCEPTED = '0x01';

/** Starts a JSON-RPC server that returns the same result for every call. */
async function chain(answer: string) {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { id, method } = JSON.parse(body);
    calls.push(method);
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

/** Fields of ERC-8010 that viem reads, and that belong to no signature. */
const erc8010Forgery = (): string =>
  `${'00'.repeat(65)}${hexWord(0x20).repeat(20)}${hexWord(20 * 32)}${'8010'.repeat(16)}`;

describe('verifySignature()', () => {
  it('accepts the signature of a key without a request to the chain', async () => {
    await using node = await chain('0x');
    const owner = privateKeyToAccount(generatePrivateKey());
    const signed = await owner.signMessage({ message: 'hello' });
    const verifier = viemWalletVerifier(node.url);
    expect(await verifier.verifySignature('hello', signed, owner.address)).toBe(true);
    expect(node.calls).toEqual([]);
  });

  it('accepts a signature that the contract accepts', async () => {
    await using node = await chain(ACCEPTED);
    expect(await viemWalletVerifier(node.url).verifySignature('hello', signature, CONTRACT)).toBe(true);
    expect(node.calls).toContain('eth_call');
  });

  it('rejects a signature that the contract rejects', async () => {
    await using node = await chain('0x00');
    expect(await viemWalletVerifier(node.url).verifySignature('hello', signature, CONTRACT)).toBe(false);
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
    expect(await viemWalletVerifier(node.url).verifySignature('hello', `0x${hex}`, CONTRACT)).toBe(false);
  });

  it('rejects the signature of a contract when the chain answers nonsense', async () => {
    await using node = await chain('nonsense');
    expect(await viemWalletVerifier(node.url).verifySignature('hello', signature, CONTRACT)).toBe(false);
  });

  it('rejects the signature of a contract without a chain', async () => {
    expect(await viemWalletVerifier(null).verifySignature('hello', signature, CONTRACT)).toBe(false);
  });

  it.each(['', '0x', 'nonsense', '0xzz'])('rejects the signature %j', async text => {
    expect(await viemWalletVerifier(null).verifySignature('hello', text, CONTRACT)).toBe(false);
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
    const verifier = viemWalletVerifier(null);
    const text = (await verifier.formatMessage(fields)) ?? '';
    const read = await verifier.parseMessage(text);
    expect({ ...read, address: read?.address.toLowerCase() }).toEqual(fields);
    expect(text).toContain('pages.example.com wants you to sign in with your Ethereum account:');
  });

  it('return null for an invalid address', async () => {
    expect(await viemWalletVerifier(null).formatMessage({ ...fields, address: '0x12' })).toBeNull();
  });

  it.each(['', 'hello', 'x wants you to sign in'])('return null for the text %j', async text => {
    expect(await viemWalletVerifier(null).parseMessage(text)).toBeNull();
  });
});
