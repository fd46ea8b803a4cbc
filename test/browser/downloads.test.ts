import { EventEmitter } from 'node:events';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { Downloads } from '../../src/browser/downloads.ts';
import type { SessionEvent } from '../../src/domain/events.ts';
import { Failure } from '../../src/domain/failures.ts';
import type { SessionFiles } from '../../src/domain/ports.ts';

/** Chromium lets a page begin some twenty a second: too few for a test to wait for. */
test('F-006 downloads that are refused are told of 256 times at most, and none is left behind', async () => {
  const page = new EventEmitter();
  const told: SessionEvent[] = [];
  let removed = 0;
  const full = () =>
    Promise.reject(new Failure('QUOTA_EXHAUSTED', 'The files of this session fill their bytes.'));
  const downloads = new Downloads({
    sessionId: 's',
    files: { place: full, mostBytes: 1 } as Partial<SessionFiles> as SessionFiles,
    now: () => 0,
    happened: event => told.push(event),
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
  await downloads.finished(10_000);
  expect(told).toHaveLength(256);
  expect(removed).toBe(300);
});
