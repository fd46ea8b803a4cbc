/** A hostile name server on loopback. It returns its answers in order, for every name, with a lifetime of 0. */
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { EgressLookup } from '../../../src/browser/egress/dialer.ts';

export interface RebindingDns extends AsyncDisposable {
  /** Queries only this server. */
  readonly lookup: EgressLookup;
  /** Queries so far. */
  queryCount(): number;
}

/** @param answers IPv4 addresses for the first query, the second, and so on; the last answer repeats */
export async function startRebindingDns(...answers: readonly string[][]): Promise<RebindingDns> {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (query, { port, address }) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    socket.send(answerTo(query, addresses), port, address);
  });
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    lookup: async host => (await resolver.resolve4(host)).map(address => ({ address, family: 4 })),
    queryCount: () => asked,
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => socket.close(() => resolve())),
  };
}

const HEADER_BYTES = 12;
/** The type and class after the question's name. */
const QUESTION_TAIL_BYTES = 4;

/** RFC 1035, 4.1: the query's id and question, and an A record with a lifetime of 0 for each address. */
function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 1 + QUESTION_TAIL_BYTES);
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map(address =>
    Buffer.from([0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question, ...records]);
}
