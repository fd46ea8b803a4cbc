import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandLine, groupMembers, processRow } from '../../../src/browser/limits/processTable.ts';
import { isFailure } from '../../../src/domain/failure/failures.ts';
import type { Session, SessionStatus } from '../../../src/domain/session/session.ts';
import type { StartCommand } from '../../../src/service/sessions/sessionOperations.ts';
import { type RunningProgram, runProgram } from '../../main/runProgram.ts';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { firstBrowser, registeredBrowsers } from '../../support/browserProcesses.ts';
import { servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';

const signal = new AbortController().signal;
const plain: StartCommand = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };

/** Each look reads the table of all processes. */
const PROCESSES = { interval: 250 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-failures-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** @returns the session when it has this status @param damage called after the updates are subscribed */
async function statusAfter(
  { service, viewer }: StartedService,
  id: string,
  status: SessionStatus,
  damage: () => unknown,
): Promise<Session> {
  const changes = service.sessionUpdates(viewer);
  await damage();
  for await (const { session } of changes) if (session.id === id && session.status === status) return session;
  throw new Error('the updates ended');
}

describe('A browser that one page blocks', () => {
  // It works for a sixth of the time: some ticks of the system in each sample, without the processor time of other tests.
  const WORKS = `<title>Works</title><script src="/empty.js"></script>
    <script>setInterval(() => { for (const end = performance.now() + 8; performance.now() < end;); }, 50)</script>`;

  it('loses the session of that page, and no other', async () => {
    await using pages = await servePages({
      '/calm': '<title>Calm</title>',
      '/works': WORKS,
      '/empty.js': '',
    });
    await using started = await startService({
      registryPath: folder,
      sessionsPerBrowser: 2,
      warmContexts: 0,
      // A third of it is the time in which the browser must go on after the page has ended: long, for a busy machine.
      healthCheck: { intervalMs: 200, timeoutMs: 15_000 },
    });
    const [calm, busy] = [await startAgentDriver(started), await startAgentDriver(started)];
    await calm.observe(`${pages.url}/calm`);
    await busy.observe(`${pages.url}/works`);
    const browser = firstBrowser(folder);
    expect(registeredBrowsers(folder)).toEqual([browser]);
    const ended = await statusAfter(started, busy.sessionId, 'error', async () => {
      // The main process stands still until the page that works has ended.
      process.kill(browser.pid, 'SIGSTOP');
      // Not by their number: the browser may have just begun another process.
      const renderers = groupMembers(browser.group).filter(({ pid }) =>
        commandLine(pid).includes('--type=renderer'),
      );
      const hasEnded = () => renderers.some(({ pid }) => processRow(pid) === null);
      await expect.poll(hasEnded).toBe(true);
      process.kill(browser.pid, 'SIGCONT');
    });
    expect(ended).toMatchObject({ error: expect.stringMatching(/kept the browser so busy/) });
    expect((await calm.observe()).metadata.title).toBe('Calm');
  });
});

describe('Browsers full of frames, windows and dialogs', () => {
  const FULL = `<title>Full</title><button onclick="for (let n = 0; n < 3; n++) open('/calm'); confirm('Stay?')">Open</button><script>
    for (let n = 0; n < 15; n++) document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<button>Here</button>' }))</script>`;

  it('end with a failure of their own sessions when they are killed and frozen, and leave no process and no profile', async () => {
    await using pages = await servePages({ '/calm': '<title>Calm</title>', '/full': FULL });
    // A full browser that works may answer late on a busy machine, and the script that makes the frames is not endless.
    const healthCheck = { intervalMs: 200, timeoutMs: 8_000 };
    const scriptTimeoutMs = 10_000;
    await using started = await startService({
      registryPath: folder,
      sessionsPerBrowser: 1,
      warmContexts: 0,
      healthCheck,
      scriptTimeoutMs,
    });
    const calm = await startAgentDriver(started);
    await calm.observe(`${pages.url}/calm`);
    const own = registeredBrowsers(folder).map(({ pid }) => pid);
    const full = await Promise.all([startAgentDriver(started), startAgentDriver(started)]);
    for (const agent of full) {
      await agent.observe(`${pages.url}/full`);
      expect((await agent.step(/"Open"/)).space?.dialog?.message).toBe('Stay?');
    }
    const broken = registeredBrowsers(folder).filter(({ pid }) => !own.includes(pid));
    expect(broken.map(({ profile }) => existsSync(profile ?? ''))).toEqual([true, true]);
    for (const [nth, { group }] of broken.entries()) process.kill(-group, nth === 0 ? 'SIGKILL' : 'SIGSTOP');
    for (const agent of full)
      await expect
        .poll(() =>
          agent.observe().then(
            () => null,
            ({ code }) => code,
          ),
        )
        .toBe('SESSION_ERROR');
    const ended = await started.service.sessions(
      started.viewer,
      full.map(({ sessionId }) => sessionId),
    );
    expect(ended.map(session => (session?.status === 'error' ? session.error : null)).sort()).toEqual([
      'The browser ended unexpectedly.',
      'The browser stopped responding and was killed.',
    ]);
    // The browser of another session is not affected.
    expect((await calm.observe()).metadata.title).toBe('Calm');
    const left = () =>
      broken.flatMap(({ group, profile }) => [...groupMembers(group), existsSync(profile ?? '')]);
    await expect.poll(left, PROCESSES).toEqual([false, false]);
  });
});

describe('An operation whose browser is killed', () => {
  it('fails with the end of its session, not with a crash of the page', async () => {
    const requested = Promise.withResolvers<void>();
    await using pages = await servePages({ '/never': () => requested.resolve() });
    await using started = await startService({ registryPath: folder });
    const agent = await startAgentDriver(started);
    const opening = agent.observe(`${pages.url}/never`).catch((error: unknown) => error);
    await requested.promise;
    for (const { group } of registeredBrowsers(folder)) killGroup(group);
    expect(await opening).toMatchObject({
      code: 'BROWSER_CRASHED',
      message: expect.stringMatching(/The session has ended\./),
      context: { session: { status: 'error' } },
    });
  });
});

describe('A start whose caller leaves before its browser is killed', () => {
  it('fails like every start whose caller has left', async () => {
    await using started = await startService({ registryPath: folder, warmContexts: 0 });
    const browser = firstBrowser(folder);
    process.kill(-browser.group, 'SIGSTOP');
    const gone = new AbortController();
    const start = started.service.start(started.viewer, { ...plain, signal: gone.signal });
    await expect.poll(() => started.browsers.sessionCount).toBe(1);
    gone.abort();
    killGroup(browser.group);
    await expect(start).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
    expect(started.browsers.sessionCount).toBe(0);
  });
});

describe('Browsers that are killed repeatedly', () => {
  it('fail starts and operations with the right codes, and leave no slot in use', async () => {
    await using started = await startService({
      registryPath: folder,
      capacity: 4,
      warmContexts: 1,
      maxWaiting: 4,
    });
    const { service, viewer } = started;
    const killer = setInterval(() => {
      for (const { group } of registeredBrowsers(folder)) killGroup(group);
    }, 500);
    const codes = new Set<string>();
    const recordCode = (error: unknown): null => {
      codes.add(isFailure(error) ? error.code : `a bug: ${String(error)}`);
      return null;
    };
    const caller = async (): Promise<void> => {
      for (let n = 0; n < 2; n++) {
        const started = await service.start(viewer, plain).catch(recordCode);
        if (started === null) continue;
        const sessionId = started.session.id;
        const limits = { max: 10, min: null };
        const command = { ...plain, sessionId, url: 'http://127.0.0.1:1/', limits, data: null, space: true };
        await service.observe(viewer, command).catch(recordCode);
        await service.close(viewer, { sessionId, screenshot: false, signal });
      }
    };
    await Promise.all(Array.from({ length: 3 }, caller)).finally(() => clearInterval(killer));
    // URL_BLOCKED is the result of the operation in a browser that works.
    const expected = ['BROWSER_CRASHED', 'SESSION_ERROR', 'URL_BLOCKED', 'AT_CAPACITY'];
    expect([...codes].filter(code => !expected.includes(code))).toEqual([]);
    await expect.poll(() => [started.browsers.sessionCount, service.activeSessionCount()]).toEqual([0, 0]);
    await expect
      .poll(() => service.start(viewer, plain).then(({ session }) => session.status))
      .toBe('active');
  });
});

describe('A page whose process is frozen', () => {
  it('does not prevent its session from closing, and ends with its browser', async () => {
    await using started = await startService({ registryPath: folder, capacity: 1 });
    const { session } = await started.service.start(started.viewer, plain);
    const browser = firstBrowser(folder);
    const before = groupMembers(browser.group).map(row => row.pid);
    for (const pid of before) if (pid !== browser.pid && pid !== browser.group) process.kill(pid, 'SIGSTOP');
    const { session: closed } = await started.service.close(started.viewer, {
      sessionId: session.id,
      screenshot: false,
      signal,
    });
    expect(closed.status).toBe('closed');
    expect((await started.service.start(started.viewer, plain)).session.status).toBe('active');
    await expect.poll(() => groupMembers(browser.group), PROCESSES).toEqual([]);
  });
});

describe('A killed service', () => {
  let program: RunningProgram;
  afterEach(async () => {
    program.child.kill('SIGKILL');
    await program.result;
  });

  it('leaves no browser after its next start, not even a frozen one', async () => {
    program = runProgram(['serve'], { PORT: '0', PAGESPACE_DATA_DIR: folder, PAGESPACE_WARM_CONTEXTS: '1' });
    await program.waitForOutput(/listens on (\S+)/);
    const registryPath = join(folder, 'browsers');
    const left = registeredBrowsers(registryPath);
    expect(left).not.toEqual([]);
    // Chromium ends when the pipe to the service closes; a frozen one does not.
    for (const { group } of left) process.kill(-group, 'SIGSTOP');
    program.child.kill('SIGKILL');
    await program.result;
    expect(left.map(({ pid }) => processRow(pid) === null)).toEqual(left.map(() => false));

    await using next = await startService({ registryPath });
    expect(left.flatMap(({ group }) => groupMembers(group))).toEqual([]);
    expect(next.warnings).toEqual(['Killed 1 browsers that an earlier process of this service left']);
  });
});
