import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { viemWalletReader } from '../../src/wallet/viemWalletReader.ts';

const CONTRACT = '0x00000000000000000000000000000000000a11ce';
/** What the validator of ERC-6492, run within the call, says once the contract (ERC-1271) has taken the signature. */
const GOOD = '0x01';

/** A chain that answers every call with this. */
async function chain(answer: string) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { id, method } = JSON.parse(body);
    asked.push(method);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const signature = `0x${'11'.repeat(65)}` as const;

describe('a signature', () => {
  it('of a key is judged without asking a chain', async () => {
    await using node = await chain('0x');
    const owner = privateKeyToAccount(generatePrivateKey());
    const signed = await owner.signMessage({ message: 'hello' });
    const reader = viemWalletReader(node.url);
    expect(await reader.verifySignature('hello', signed, owner.address)).toBe(true);
    expect(node.asked).toEqual([]);
  });

  it('of a contract is judged by the contract', async () => {
    await using node = await chain(GOOD);
    expect(await viemWalletReader(node.url).verifySignature('hello', signature, CONTRACT)).toBe(true);
    expect(node.asked).toContain('eth_call');
  });

  it('that the contract does not know is not taken', async () => {
    await using node = await chain('0x00');
    expect(await viemWalletReader(node.url).verifySignature('hello', signature, CONTRACT)).toBe(false);
  });

  it('of a contract is not taken where no chain can be asked', async () => {
    expect(await viemWalletReader(null).verifySignature('hello', signature, CONTRACT)).toBe(false);
  });

  it.each(['', '0x', 'nonsense', '0xzz'])('%j is none', async text => {
    expect(await viemWalletReader(null).verifySignature('hello', text, CONTRACT)).toBe(false);
  });
});

describe('a message', () => {
  const facts = {
    address: CONTRACT,
    chainId: 1,
    domain: 'pages.example.com',
    uri: 'https://pages.example.com',
    nonce: 'abcdefgh12345678',
    issuedAt: Date.parse('2026-03-09T12:00:00.000Z'),
    expiresAt: Date.parse('2026-03-09T12:05:00.000Z'),
  };

  it('is read as it was written', async () => {
    const reader = viemWalletReader(null);
    const text = (await reader.formatMessage(facts)) ?? '';
    const read = await reader.parseMessage(text);
    expect({ ...read, address: read?.address.toLowerCase() }).toEqual(facts);
    expect(text).toContain('pages.example.com wants you to sign in with your Ethereum account:');
  });

  it('is not written for what is no address', async () => {
    expect(await viemWalletReader(null).formatMessage({ ...facts, address: '0x12' })).toBeNull();
  });

  it.each(['', 'hello', 'x wants you to sign in'])('%j is none', async text => {
    expect(await viemWalletReader(null).parseMessage(text)).toBeNull();
  });
});
