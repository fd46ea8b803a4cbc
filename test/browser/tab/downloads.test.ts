import { EventEmitter } from 'node:events';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { Downloads } from '../../../src/browser/tab/downloads.ts';
import { Failure } from '../../../src/domain/failure/failures.ts';
import type { FileOwner, SessionFileStore } from '../../../src/domain/ports/sessionFileStore.ts';
import type { SessionEvent } from '../../../src/domain/session/sessionEvent.ts';

/** With real pages the test would take too long: Chromium lets a page start about twenty downloads a second. */
test('F-006 Downloads reports at most 256 refused downloads and removes the file of each one', async () => {
  const page = new EventEmitter();
  const events: SessionEvent[] = [];
  let removed = 0;
  const failWithFullQuota = () =>
    Promise.reject(new Failure('QUOTA_EXHAUSTED', 'The files of this session fill their bytes.'));
  const downloads = new Downloads({
    sessionId: 's',
    accountId: 'a',
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

test('Downloads tells the name of a file, which the page chooses, in one line of visible characters, wherever it is told', async () => {
  const page = new EventEmitter();
  const reserved: string[] = [];
  const refuse = (_owner: FileOwner, _kind: string, name: string) => {
    reserved.push(name);
    return Promise.reject(new Failure('QUOTA_EXHAUSTED', 'Full.'));
  };
  const downloads = new Downloads({
    sessionId: 's',
    accountId: 'a',
    files: { reserve: refuse, maxBytes: 1 } as Partial<SessionFileStore> as SessionFileStore,
    now: () => 0,
    onEvent: () => {},
  });
  downloads.watch(page as unknown as Page);
  const download = { url: () => 'http://site.test/', cancel: async () => {}, delete: async () => {} };
  for (const name of ['a\u3164\u202E\u0085\u200Bb.csv', '\u3164'])
    page.emit('download', { ...download, suggestedFilename: () => name });
  await downloads.waitForRunning(10_000);
  expect(downloads.untold.map(({ name }) => name)).toEqual(['a b.csv', 'download']);
  expect(reserved).toEqual(['a b.csv', 'download']);
});
