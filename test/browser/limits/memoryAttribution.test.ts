import { describe, expect, it } from 'vitest';
import { MemoryAttribution, type RendererWork } from '../../../src/browser/limits/memoryAttribution.ts';

interface Session {
  readonly name: string;
}
const one: Session = { name: 'one' };
const other: Session = { name: 'other' };
const both = new Set([one, other]);

/** Processor seconds so far, by process. */
const working = (...rows: readonly [number, Session | null, number][]): Map<number, RendererWork<Session>> =>
  new Map(rows.map(([pid, owner, cpuSeconds]) => [pid, { owner, cpuSeconds }]));
const laidIn = (growth: MemoryAttribution<Session>) =>
  growth
    .attributions()
    .map(({ target, bytes }) => [typeof target === 'number' ? target : target.name, Math.round(bytes)]);

describe('growth of what sessions share', () => {
  it('counts from the least that was seen', () => {
    const growth = new MemoryAttribution<Session>();
    growth.update(100, both, working());
    growth.update(80, both, working());
    growth.update(150, both, working());
    expect(growth.bytes).toBe(70);
  });

  it('is laid to those who worked meanwhile, by how much they did', () => {
    const growth = new MemoryAttribution<Session>();
    growth.update(0, both, working([1, one, 5], [2, other, 5]));
    growth.update(400, both, working([1, one, 8], [2, other, 6]));
    expect(laidIn(growth)).toEqual([
      ['one', 300],
      ['other', 100],
    ]);
  });

  it('is laid to nobody for work that was done while nothing grew', () => {
    const growth = new MemoryAttribution<Session>();
    growth.update(0, both, working([1, one, 0], [2, other, 0]));
    growth.update(0, both, working([1, one, 100], [2, other, 0]));
    growth.update(50, both, working([1, one, 100], [2, other, 1]));
    expect(laidIn(growth)[0]).toEqual(['other', 50]);
  });

  it('stays with a session whose process has ended', () => {
    const growth = new MemoryAttribution<Session>();
    growth.update(0, both, working([1, one, 0]));
    growth.update(60, both, working([1, one, 1]));
    growth.update(60, both, working([3, one, 0]));
    expect(laidIn(growth)).toEqual([['one', 60]]);
  });

  it('moves to the session of a process when that becomes known', () => {
    const growth = new MemoryAttribution<Session>();
    growth.update(0, both, working([7, null, 0]));
    growth.update(60, both, working([7, null, 1]));
    expect(laidIn(growth)).toEqual([[7, 60]]);
    growth.update(60, both, working([7, other, 1]));
    expect(laidIn(growth)).toEqual([['other', 60]]);
  });

  it('goes with a session that has left', () => {
    const growth = new MemoryAttribution<Session>();
    growth.update(0, both, working([1, one, 0], [2, other, 0]));
    growth.update(60, both, working([1, one, 1], [2, other, 1]));
    growth.update(60, new Set([other]), working([2, other, 1]));
    growth.update(60, new Set([other]), working([2, other, 1]));
    expect(laidIn(growth)).toEqual([['other', 30]]);
  });

  it('shrinks for all when some was given back', () => {
    const growth = new MemoryAttribution<Session>();
    growth.update(0, both, working([1, one, 0], [2, other, 0]));
    growth.update(60, both, working([1, one, 2], [2, other, 1]));
    growth.update(30, both, working([1, one, 2], [2, other, 1]));
    expect(laidIn(growth)).toEqual([
      ['one', 20],
      ['other', 10],
    ]);
  });

  it('begins anew when the browser was empty', () => {
    const growth = new MemoryAttribution<Session>();
    growth.update(0, both, working([1, one, 0]));
    growth.update(60, both, working([1, one, 1]));
    growth.reset();
    growth.update(60, both, working());
    expect([growth.bytes, growth.attributions()]).toEqual([0, []]);
  });
});
