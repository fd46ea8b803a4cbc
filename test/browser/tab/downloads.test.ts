import { EventEmitter } from 'node:events';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { Downloads } from '../../../src/browser/tab/downloads.ts';
import { Failure } from '../../../src/domain/failures.ts';
import type { SessionFileStore } from '../../../src/domain/ports/sessionFileStore.ts';
import type { SessionEvent } from '../../../src/domain/sessionEvent.ts';

/** Chromium lets a page begin some twenty a second: too few for a test to wait for. */
test('F-006 downloads that are refused are told of 256 times at most, and none is left behind', async () => {
  const page = new EventEmitter();
  const events: SessionEvent[] = [];
  let removed = 0;
  const failWithFullQuota = () =>
    Promise.reject(new Failure('QUOTA_EXHAUSTED', 'The files of this session fill their bytes.'));
  const downloads = new Downloads({
    sessionId: 's',
    files: { reserve: failWithFullQuota, maxBytes: 1 } as Partial<SessionFileStore> as SessionFileStore,
    now: () => 0,
    onEvent: event => events.push(event),
  });
  downloads.watch(page as unknown as Page);
  for (let i = 0; i < 300; i++)
    page.emit('download', {
      url: () => `http://site.test/${i}`,
      suggestedFilename: () => 'x',
      cancel: async () => {},
      delete: async () => {
        removed += 1;
      },
    });
  await downloads.waitForRunning(10_000);
  expect(events).toHaveLength(256);
  expect(removed).toBe(300);
});
