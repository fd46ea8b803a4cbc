import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseApiKey } from '../../src/service/accounts/apiKeys.ts';
import { type RunningProgram, runProgram } from './runProgram.ts';

let folder: string;
let env: Record<string, string>;
let service: RunningProgram;
let call: (path: string, body?: object) => Promise<{ status: number; body: Record<string, unknown> }>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-drain-'));
  env = {
    PORT: '0',
    PAGESPACE_DATA_DIR: folder,
    PAGESPACE_WARM_CONTEXTS: '0',
    PAGESPACE_DRAIN_SECONDS: '600',
    ...(process.getuid?.() === 0 && { PAGESPACE_CHROMIUM_SANDBOX: 'off' }),
  };
  service = runProgram(['serve'], env);
  const [, url] = await service.waitForOutput(/listens on (\S+)/);
  await service.waitForOutput(/\n.*curl.*\n$/);
  const key = service
    .out()
    .split('\n')
    .find(line => parseApiKey(line) !== null);
  call = async (path, body) => {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
});
afterEach(async () => {
  service.child.kill('SIGKILL');
  await service.result;
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run drain', () => {
  it('lets the sessions of the service end, refuses new ones, and then stops it', async () => {
    const { body } = await call('/session/start', {});
    expect(await runProgram(['drain'], env).result).toMatchObject({
      code: 0,
      out: `Process ${service.child.pid} was asked to drain.\n`,
    });
    await service.waitForLog(/"draining"/);
    expect(await call('/ready')).toMatchObject({ status: 503, body: { status: 'draining' } });
    expect(await call('/health')).toMatchObject({ status: 200, body: { active_sessions: 1 } });
    expect(await call('/session/start', {})).toMatchObject({ status: 503, body: { code: 'SHUTTING_DOWN' } });
    expect(await call('/session/close', { session_id: body.session_id })).toMatchObject({ status: 200 });
    expect((await service.result).code).toBe(0);
    const npm = spawnSync('npm', ['run', '--silent', 'drain'], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    expect(npm).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No service uses the data folder'),
    });
  });
});

describe('SIGTERM with PAGESPACE_DRAIN_SECONDS', () => {
  it('waits for the sessions until a second SIGTERM', async () => {
    await call('/session/start', {});
    service.child.kill('SIGTERM');
    await service.waitForLog(/"draining"/);
    expect(await call('/ready')).toMatchObject({ body: { status: 'draining' } });
    // A second signal that follows at once counts as the same one.
    await expect
      .poll(() => {
        service.child.kill('SIGTERM');
        return service.err();
      })
      .toContain('"stopping"');
    expect((await service.result).code).toBe(0);
  });
});
