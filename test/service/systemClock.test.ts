import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock } from '../../src/service/systemClock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('createClock()', () => {
  let wall: number;
  let monotonic: number;
  const create = () => createClock({ wall: () => wall, monotonic: () => monotonic });
  const pass = (ms: number) => {
    wall += ms;
    monotonic += ms;
    vi.advanceTimersByTime(ms);
  };
  beforeEach(() => {
    vi.useFakeTimers();
    wall = Date.parse('2026-03-09T12:00:00.000Z');
    monotonic = 1_000;
  });
  afterEach(() => void vi.useRealTimers());

  it.each([HOUR, -HOUR, 1_000])('reports a jump of %i ms once, before now() returns', byMs => {
    const clock = create();
    const jumps: number[] = [];
    clock.onJump?.(by => jumps.push(by));
    pass(10 * MINUTE);
    wall += byMs;
    expect([clock.now(), jumps]).toEqual([wall, [byMs]]);
    clock.now();
    expect(jumps).toEqual([byMs]);
  });

  it('reports a jump as a whole number of milliseconds', () => {
    const clock = create();
    const jumps: number[] = [];
    clock.onJump?.(by => jumps.push(by));
    monotonic += 1_500.4;
    wall += HOUR + 1_500;
    clock.now();
    expect(jumps).toEqual([HOUR]);
  });

  it('reports neither the passing of time nor small corrections by a time server', () => {
    const clock = create();
    const jumps: number[] = [];
    clock.onJump?.(by => jumps.push(by));
    for (let n = 0; n < 100; n++) {
      pass(MINUTE);
      wall += 30;
      clock.now();
    }
    expect(jumps).toEqual([]);
  });

  it('does not call a removed listener', () => {
    const clock = create();
    const listener = vi.fn();
    clock.onJump?.(listener)();
    wall += HOUR;
    clock.now();
    expect(listener).not.toHaveBeenCalled();
  });

  it('calls back at its time, and not after a cancel', () => {
    const clock = create();
    const callback = vi.fn();
    const cancelled = vi.fn();
    clock.scheduleAfter(MINUTE, callback);
    clock.scheduleAfter(MINUTE, cancelled)();
    pass(MINUTE - 1);
    expect(callback).not.toHaveBeenCalled();
    pass(1);
    expect(callback).toHaveBeenCalledOnce();
    expect(cancelled).not.toHaveBeenCalled();
  });

  it.each([HOUR, -HOUR])('calls back at its time when the wall clock jumps by %i ms', byMs => {
    const clock = create();
    const callback = vi.fn();
    const jumps: number[] = [];
    clock.onJump?.(by => jumps.push(by));
    clock.scheduleAfter(MINUTE, callback);
    wall += byMs;
    pass(MINUTE - 1);
    expect(callback).not.toHaveBeenCalled();
    pass(1);
    expect(callback).toHaveBeenCalledOnce();
    // The timer reads the clock, so listeners hear of a jump that no other code has noticed.
    expect(jumps).toEqual([byMs]);
  });

  it('returns whole milliseconds of the monotonic clock, whatever the wall clock does', () => {
    const clock = create();
    const before = clock.monotonicNow();
    wall -= HOUR;
    monotonic += 1_500.75;
    expect(clock.monotonicNow() - before).toBe(1_500);
  });

  it('calls back after more than the maximum delay of a timer', () => {
    const clock = create();
    const callback = vi.fn();
    clock.scheduleAfter(60 * 24 * HOUR, callback);
    for (let days = 0; days < 60; days++) pass(24 * HOUR);
    expect(callback).toHaveBeenCalledOnce();
  });
});
