import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/domain/failure/failures.ts';
import type { StartCommand } from '../../../src/service/sessions/sessionOperations.ts';
import { manualClock } from '../../support/manualClock.ts';
import { servePages } from '../../support/servePages.ts';
import { startService } from '../../support/startService.ts';

const signal = new AbortController().signal;
const plain: StartCommand = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };
const limits = { max: 10, min: null };

describe('a session end that cannot be written', () => {
  it('is returned by reads at once, and written when the store accepts it', async () => {
    const clock = manualClock();
    await using started = await startService({ browser: 'fake', clock });
    const { service, viewer, store } = started;
    const { session } = await service.start(viewer, plain);
    const commit = store.sessions.commit;
    store.sessions.commit = () => Promise.reject(new Error('database or disk is full'));
    const command = { sessionId: session.id, screenshot: false, signal };
    expect((await service.close(viewer, command)).session.status).toBe('closed');

    expect((await store.sessions.activeSessions()).map(({ id }) => id)).toEqual([session.id]);
    expect((await service.sessions(viewer, [session.id]))[0]?.status).toBe('closed');
    expect((await service.close(viewer, command)).session.status).toBe('closed');
    expect([started.browsers.sessionCount, service.activeSessionCount()]).toEqual([0, 0]);

    store.sessions.commit = commit;
    const changes = service.sessionUpdates(viewer);
    clock.advance(5_000);
    await changes.next();
    expect(await store.sessions.activeSessions()).toEqual([]);
    const events = await service.events(viewer, session.id, 0, 10);
    expect(events.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, 'created'],
      [2, 'ended'],
    ]);
  });
});

describe('the end of a session whose take-over cannot be written in the audit log', () => {
  it('is written with that row when the log accepts it', async () => {
    const clock = manualClock();
    await using started = await startService({ browser: 'fake', clock });
    const { service, viewer, store } = started;
    const { session } = await service.start(viewer, plain);
    await service.takeOver(viewer, { sessionId: session.id, name: 'Ana' });
    const { append } = store.auditLog;
    store.auditLog.append = () => Promise.reject(new Error('database or disk is full'));
    const command = { sessionId: session.id, screenshot: false, signal };
    expect((await service.close(viewer, command)).session.status).toBe('closed');
    expect(await store.sessions.activeSessions()).toHaveLength(1);

    store.auditLog.append = append;
    const changes = service.sessionUpdates(viewer);
    clock.advance(5_000);
    await changes.next();
    expect(await store.sessions.activeSessions()).toEqual([]);
    const rows = await store.auditLog.entries(viewer.account.id, null, 10);
    expect(rows.map(({ action }) => action)).toEqual(['take_over.ended', 'take_over.begun']);
  });
});

describe('the end of a session while an operation is written', () => {
  it('is charged with the time of the operation if that write fails', async () => {
    const clock = manualClock();
    await using pages = await servePages({
      '/': (_request, response) => {
        clock.advance(1_000);
        response.end('<title>A page</title>');
      },
    });
    await using started = await startService({ browser: 'fake', clock });
    const { service, viewer, store } = started;
    const { session } = await service.start(viewer, plain);
    const commit = store.sessions.commit;
    const [begun, written] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
    store.sessions.commit = () => {
      begun.resolve();
      return written.promise;
    };
    const command = {
      ...plain,
      sessionId: session.id,
      url: `${pages.url}/`,
      limits,
      data: null,
      space: true,
    };
    const observed = service.observe(viewer, command).catch(() => null);
    await begun.promise;
    // The session times out.
    clock.advance(600_000);
    written.reject(new Error('The database is away.'));
    await observed;
    store.sessions.commit = commit;
    await expect
      .poll(() => {
        clock.advance(5_000);
        return store.sessions.activeSessions();
      })
      .toEqual([]);
    // The end of `started` audits the ledger.
  });
});

describe('a write whose outcome the store does not know', () => {
  it('counts as done if the store has its events, and is charged once', async () => {
    await using started = await startService({ browser: 'fake' });
    const { service, viewer, store } = started;
    const commit = store.sessions.commit;
    store.sessions.commit = async change => {
      await commit(change);
      throw new Failure('OUTCOME_UNKNOWN', 'The connection was lost.');
    };
    const { session } = await service.start(viewer, plain);
    store.sessions.commit = commit;
    await service.close(viewer, { sessionId: session.id, screenshot: false, signal });
    const events = await service.events(viewer, session.id, 0, 10);
    expect(events.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, 'created'],
      [2, 'ended'],
    ]);
    expect((await store.auditLedger()).findings).toEqual([]);
  });
});
