import { describe, expect, it } from 'vitest';
import { ProcessorBudget } from '../../../src/browser/limits/processorShare.ts';

const TICK_MS = 100;

/**
 * Lets pages that use all they can run for `ms`, a tick at a time.
 * @param demands processor time that each page would use in a tick, and whether its session has an operation running
 * @returns the processor time that each page used
 */
function run(
  budget: ProcessorBudget<string>,
  demands: Readonly<Record<string, { readonly ms: number; readonly isOperating?: boolean }>>,
  ms: number,
): { used: Readonly<Record<string, number>>; longestPauseMs: number } {
  const used: Record<string, number> = {};
  const pauses = new Map<string, number>();
  let paused: ReadonlySet<string> = new Set();
  let longestPauseMs = 0;
  for (let now = 0; now < ms; now += TICK_MS) {
    const consumers = Object.entries(demands).map(([key, demand]) => ({
      key,
      usedMs: paused.has(key) ? 0 : demand.ms,
      isOperating: demand.isOperating === true,
    }));
    for (const { key, usedMs } of consumers) {
      used[key] = (used[key] ?? 0) + usedMs;
      pauses.set(key, paused.has(key) ? (pauses.get(key) ?? 0) + TICK_MS : 0);
      longestPauseMs = Math.max(longestPauseMs, pauses.get(key) ?? 0);
    }
    paused = budget.settle(consumers, TICK_MS);
  }
  return { used, longestPauseMs };
}

const BURST_MS = 500;

describe('ProcessorBudget', () => {
  it.each([1, 3, 20])(
    'gives %i busy sessions without an operation a quarter of the processors together',
    count => {
      const demands = Object.fromEntries(
        Array.from({ length: count }, (_, nth) => [`idle ${nth}`, { ms: 100 }]),
      );
      const { used, longestPauseMs } = run(
        new ProcessorBudget(4),
        { ...demands, own: { ms: 50, isOperating: true } },
        60_000,
      );
      const idle = Object.entries(used).filter(([key]) => key !== 'own');
      const total = idle.reduce((sum, [, one]) => sum + one, 0);
      expect(total).toBeLessThanOrEqual(60_000 + count * (BURST_MS + 100));
      expect(total).toBeGreaterThan(count === 1 ? 59_000 : 30_000);
      expect(used.own).toBe(30_000);
      expect(longestPauseMs).toBeLessThanOrEqual(2_000 + TICK_MS);
    },
  );

  it('pauses no session with an operation for the script of its page, and shares out only its threads', () => {
    const budget = new ProcessorBudget<string>(2);
    const demands = { script: { ms: 100, isOperating: true }, threads: { ms: 400, isOperating: true } };
    const { used, longestPauseMs } = run(budget, demands, 10_000);
    expect(used.script).toBe(10_000);
    expect(used.threads).toBeLessThanOrEqual(10_000 + BURST_MS + 400);
    expect(longestPauseMs).toBeLessThanOrEqual(500);
  });

  it('does not pause quiet pages, and gives their part to the busy ones', () => {
    const quiet = Object.fromEntries(Array.from({ length: 10 }, (_, nth) => [`quiet ${nth}`, { ms: 1 }]));
    const { used } = run(new ProcessorBudget(2), { ...quiet, busy: { ms: 100 } }, 10_000);
    expect(used['quiet 0']).toBe(100);
    expect(used.busy).toBeGreaterThan(5_000);
  });

  it('forgives a session whose operation begins, and forgets sessions that ended', () => {
    const budget = new ProcessorBudget<string>(1);
    const busy = { key: 'busy', usedMs: 9_000, isOperating: false };
    expect(budget.settle([busy], 10)).toEqual(new Set(['busy']));
    budget.forgive('busy');
    expect(budget.settle([{ ...busy, usedMs: 0 }], 10)).toEqual(new Set());
    expect(budget.settle([busy], 10)).toEqual(new Set(['busy']));
    budget.settle([], 10);
    expect(budget.settle([{ ...busy, usedMs: 400 }], 10)).toEqual(new Set());
  });
});
