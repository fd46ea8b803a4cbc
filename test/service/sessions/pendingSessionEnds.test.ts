import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/domain/failure/failures.ts';
import type { StartCommand } from '../../../src/service/sessions/sessionOperations.ts';
import { manualClock } from '../../support/manualClock.ts';
import { startService } from '../../support/startService.ts';

const signal = new AbortController().signal;
const plain: StartCommand = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };

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
