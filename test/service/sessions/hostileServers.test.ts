import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRawServer } from '../../browser/egress/proxyClient.ts';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type StartedService, startService } from '../../support/startService.ts';

let started: StartedService;
let agent: AgentDriver;
beforeAll(async () => {
  started = await startService();
});
afterAll(() => started[Symbol.asyncDispose]());
beforeEach(async () => {
  agent = await startAgentDriver(started);
});
afterEach(() => agent.close());

describe('observe, when a server', () => {
  test.each([
    [
      'sends no status',
      'HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n',
      'the server responded with the invalid status 0',
    ],
    [
      'sends interim responses without end',
      'HTTP/1.1 103 X\r\n\r\n'.repeat(1_000),
      'the server sent too many interim responses',
    ],
    [
      'speaks another protocol',
      'SSH-2.0-x\r\n',
      'the server sent something that is not HTTP (HPE_INVALID_CONSTANT)',
    ],
  ])(
    '%s, throws NAVIGATION_FAILED with the cause, and the session goes on',
    async (_what, response, cause) => {
      await using site = await startRawServer(socket => socket.once('data', () => socket.end(response)));
      const url = `http://127.0.0.1:${site.port}/`;
      await expect(agent.observe(url)).rejects.toMatchObject({
        code: 'NAVIGATION_FAILED',
        message: `"${url}" could not be opened: ${cause}.`,
      });
      expect((await agent.observe('about:blank')).metadata.url).toBe('about:blank');
    },
  );
});
