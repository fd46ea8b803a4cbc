import { expect, test } from 'vitest';
import type { NewPageLogEntry } from '../../../src/domain/session/pageLog.ts';
import { PageLog } from '../../../src/service/sessions/sessionRecorder.ts';

const message = (n: number): NewPageLogEntry<'console'> => ({
  at: n,
  tabId: 'T1',
  level: 'log',
  text: `message ${n}`,
  url: null,
  line: null,
});

test('the console keeps its newest 1,000 messages in memory, and hands every one to the record before it goes', () => {
  const recorded: number[] = [];
  const log = new PageLog(isUrgent => {
    if (isUrgent) recorded.push(...log.takeUnsaved('console').map(({ number }) => number));
  });
  for (let n = 1; n <= 2_600; n++) log.add('console', message(n));
  recorded.push(...log.takeUnsaved('console').map(({ number }) => number));
  expect(recorded).toEqual(Array.from({ length: 2_600 }, (_, i) => i + 1));
  expect(log.after('console', 0).map(({ number }) => number)).toEqual(
    Array.from({ length: 1_000 }, (_, i) => 1_601 + i),
  );
  expect([log.hasAllAfter('console', 1_599), log.hasAllAfter('console', 1_600)]).toEqual([false, true]);
  expect(log.lastNumber('request')).toBe(0);
});
