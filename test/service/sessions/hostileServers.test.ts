import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRawServer } from '../../browser/egress/proxyClient.ts';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type StartedService, startService } from '../../support/startService.ts';

let started: StartedService;
let player: AgentDriver;
beforeAll(async () => {
  started = await startService();
});
afterAll(() => started[Symbol.asyncDispose]());
beforeEach(async () => {
  player = await startAgentDriver(started);
});
afterEach(() => player.close());

describe('A server that keeps to no rule', () => {
  test.each([
    [
      'no status',
      'HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n',
      'the server answered with the status 0, which is none',
    ],
    [
      'interim answers without end',
      'HTTP/1.1 103 X\r\n\r\n'.repeat(1_000),
      'the server sent interim answers without end',
    ],
    [
      'another protocol',
      'SSH-2.0-x\r\n',
      'the server sent something that is not HTTP (HPE_INVALID_CONSTANT)',
    ],
  ])('%s fails the navigation with the cause, and the session goes on', async (_what, answer, cause) => {
    await using site = await startRawServer(socket => socket.once('data', () => socket.end(answer)));
    const url = `http://127.0.0.1:${site.port}/`;
    await expect(player.observe(url)).rejects.toMatchObject({
      code: 'NAVIGATION_FAILED',
      message: `${url} could not be opened: ${cause}.`,
    });
    expect((await player.observe('about:blank')).metadata.url).toBe('about:blank');
  });
});
