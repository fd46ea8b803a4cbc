import { expect, it } from 'vitest';
import type { SettleReport } from '../../../src/browser/injected/settle/quiet.ts';
import { LateEffects } from '../../../src/browser/settle/lateEffects.ts';
import type { PageTasks } from '../../../src/browser/settle/pageTasks.ts';
import type { Tab } from '../../../src/browser/tab/tab.ts';
import type { Deadline } from '../../../src/domain/ports/clock.ts';

const deadline: Deadline = { signal: new AbortController().signal, remainingMs: () => 60_000 };
const report: SettleReport = {
  showsEffect: false,
  offersAction: false,
  sign: { kind: 'busy', maxMs: 5_000 },
  isStatic: false,
  startsDownload: false,
  animationMs: 0,
};

/** The late effects of a document, and how often they have waited in it. */
function lateEffectsOf(forbidsScripts: boolean, tasks: readonly PageTasks[] = [], recorded = '') {
  let waits = 0;
  const network = { requests: { endedCount: 0, count: () => 0 }, document: { forbidsScripts } };
  const channel = { send: async () => ({ result: { value: `${recorded} 900` } }) };
  const worlds = { mainWorldContext: () => ({ refusesTaskRecorder: false, recorder: Promise.resolve('1') }) };
  const world = async () => ({ callAgent: async () => void waits++ });
  const scripts = { pausedMs: null, paused: new Set() };
  const target = { channel, worlds };
  const tab = { isUnresponsive: false, network, world, target, scripts, onInterrupt: () => () => {} };
  const effects = new LateEffects(tab as unknown as Tab, { requestNumber: 0, tasks }, null);
  return { next: (found: SettleReport) => effects.next(found, 5_000, deadline), waits: () => waits };
}

it('LateEffects waits in the page for busy indicators', async () => {
  const { next, waits } = lateEffectsOf(false);
  expect(await next(report)).toBe(true);
  expect(waits()).toBe(1);
});

it('LateEffects waits for nothing in a document whose policy forbids scripts', async () => {
  const { next, waits } = lateEffectsOf(true);
  expect(await next(report)).toBe(false);
  expect(waits()).toBe(0);
});

it('LateEffects lets a document whose policy forbids scripts settle again when it is animated', async () => {
  expect(await lateEffectsOf(true).next({ ...report, animationMs: 200 })).toBe(true);
});

it('LateEffects waits for the frame of a step in a document whose policy forbids scripts', async () => {
  const none = {
    next: async () => ({ waited: false, isIdle: true, startsDownload: false, timersMs: [] }),
  } as unknown as PageTasks;
  const frame = {
    next: async () => ({ waited: true, isIdle: false, startsDownload: false, timersMs: [] }),
  } as unknown as PageTasks;
  expect(await lateEffectsOf(true, [none]).next(report)).toBe(false);
  expect(await lateEffectsOf(true, [none, frame]).next(report)).toBe(true);
});

it.each([
  ['', false],
  ['waited', true],
])(
  'LateEffects waits for a new document that offers nothing only while its recorder has work: "%s"',
  async (recorded, waits) => {
    const sign = { kind: 'unfilled', maxMs: 2_200 } as const;
    expect(await lateEffectsOf(false, [], recorded).next({ ...report, sign })).toBe(waits);
  },
);
