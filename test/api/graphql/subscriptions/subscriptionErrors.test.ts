import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/domain/failure/failures.ts';
import type { Pagespace } from '../../../../src/service/pagespace.ts';
import { startTestServer } from '../../../support/startServer.ts';
import { startService } from '../../../support/startService.ts';
import { overEvents, overSocket, type SubscriptionResult } from '../../../support/subscribe.ts';

/** Starts a subscription whose source of events throws `error`. */
async function received(
  error: Error,
  subscribe: typeof overSocket,
): Promise<{ results: SubscriptionResult[]; faults: number }> {
  await using started = await startService({ browser: 'fake' });
  const sessionUpdates: Pagespace['sessionUpdates'] = () => ({
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => Promise.reject(error),
  });
  await using server = await startTestServer({ ...started.service, sessionUpdates });
  const results: SubscriptionResult[] = [];
  const endpoint = { url: server.url, key: started.key };
  for await (const result of subscribe(endpoint, 'subscription { sessionStatusChanged { id } }'))
    results.push(result);
  return { results, faults: server.logLines.filter(({ level }) => level >= 50).length };
}

describe.each([
  ['a WebSocket', overSocket],
  ['an event stream', overEvents],
])('%s', (_name, subscribe) => {
  test('whose source of events fails answers INTERNAL without the error, which is logged once', async () => {
    const { results, faults } = await received(new Error('secret'), subscribe);
    expect(results).toMatchObject([{ errors: [{ extensions: { code: 'INTERNAL' } }] }]);
    expect(JSON.stringify(results)).not.toContain('secret');
    expect(faults).toBe(1);
  });

  test('whose source of events ends with a failure answers its code', async () => {
    const { results, faults } = await received(new Failure('STORAGE_FULL', 'The disk is full.'), subscribe);
    expect(results).toMatchObject([{ errors: [{ extensions: { code: 'STORAGE_FULL' } }] }]);
    expect(faults).toBe(0);
  });
});
