import { describe, expect, it } from 'vitest';
import { MemoryAttribution, type RendererWork } from '../../../src/browser/limits/browserResourceMonitor.ts';

interface Session {
  readonly name: string;
}
const one: Session = { name: 'one' };
const other: Session = { name: 'other' };
const both = new Set([one, other]);

/** @param rows process id, owner, processor seconds since its start */
const rendererWork = (
  ...rows: readonly [number, Session | null, number][]
): Map<number, RendererWork<Session>> =>
  new Map(rows.map(([pid, owner, cpuSeconds]) => [pid, { owner, cpuSeconds }]));
const attributed = (attribution: MemoryAttribution<Session>) =>
  attribution
    .attributions()
    .map(({ target, bytes }) => [typeof target === 'number' ? target : target.name, Math.round(bytes)]);

describe('MemoryAttribution', () => {
  it('bytes counts from the smallest measurement', () => {
    const attribution = new MemoryAttribution<Session>();
    attribution.update(100, both, rendererWork());
    attribution.update(80, both, rendererWork());
    attribution.update(150, both, rendererWork());
    expect(attribution.bytes).toBe(70);
  });

  it('attributes growth to the sessions that worked meanwhile, in proportion to their processor time', () => {
    const attribution = new MemoryAttribution<Session>();
    attribution.update(0, both, rendererWork([1, one, 5], [2, other, 5]));
    attribution.update(400, both, rendererWork([1, one, 8], [2, other, 6]));
    expect(attributed(attribution)).toEqual([
      ['one', 300],
      ['other', 100],
    ]);
  });

  it('attributes nothing for processor time during which nothing grew', () => {
    const attribution = new MemoryAttribution<Session>();
    attribution.update(0, both, rendererWork([1, one, 0], [2, other, 0]));
    attribution.update(0, both, rendererWork([1, one, 100], [2, other, 0]));
    attribution.update(50, both, rendererWork([1, one, 100], [2, other, 1]));
    expect(attributed(attribution)[0]).toEqual(['other', 50]);
  });

  it('keeps the attribution of a session whose process has ended', () => {
    const attribution = new MemoryAttribution<Session>();
    attribution.update(0, both, rendererWork([1, one, 0]));
    attribution.update(60, both, rendererWork([1, one, 1]));
    attribution.update(60, both, rendererWork([3, one, 0]));
    expect(attributed(attribution)).toEqual([['one', 60]]);
  });

  it('moves the attribution of a process to its session when the session becomes known', () => {
    const attribution = new MemoryAttribution<Session>();
    attribution.update(0, both, rendererWork([7, null, 0]));
    attribution.update(60, both, rendererWork([7, null, 1]));
    expect(attributed(attribution)).toEqual([[7, 60]]);
    attribution.update(60, both, rendererWork([7, other, 1]));
    expect(attributed(attribution)).toEqual([['other', 60]]);
  });

  it('drops the attribution of a session that has ended', () => {
    const attribution = new MemoryAttribution<Session>();
    attribution.update(0, both, rendererWork([1, one, 0], [2, other, 0]));
    attribution.update(60, both, rendererWork([1, one, 1], [2, other, 1]));
    attribution.update(60, new Set([other]), rendererWork([2, other, 1]));
    attribution.update(60, new Set([other]), rendererWork([2, other, 1]));
    expect(attributed(attribution)).toEqual([['other', 30]]);
  });

  it('scales all attributions down when memory was freed', () => {
    const attribution = new MemoryAttribution<Session>();
    attribution.update(0, both, rendererWork([1, one, 0], [2, other, 0]));
    attribution.update(60, both, rendererWork([1, one, 2], [2, other, 1]));
    attribution.update(30, both, rendererWork([1, one, 2], [2, other, 1]));
    expect(attributed(attribution)).toEqual([
      ['one', 20],
      ['other', 10],
    ]);
  });

  it('reduces the attributions of others to what is left beside the counted memory of a session', () => {
    const attribution = new MemoryAttribution<Session>();
    attribution.update(0, both, rendererWork([1, one, 0], [2, other, 0]));
    attribution.update(100, both, rendererWork([1, one, 1], [2, other, 9]));
    attribution.reduceOthers(one, 80);
    expect(attributed(attribution)).toEqual([
      ['other', 20],
      ['one', 10],
    ]);
  });

  it('starts again after reset', () => {
    const attribution = new MemoryAttribution<Session>();
    attribution.update(0, both, rendererWork([1, one, 0]));
    attribution.update(60, both, rendererWork([1, one, 1]));
    attribution.reset();
    attribution.update(60, both, rendererWork());
    expect([attribution.bytes, attribution.attributions()]).toEqual([0, []]);
  });
});
