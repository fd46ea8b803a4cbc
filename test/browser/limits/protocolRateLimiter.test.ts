import { describe, expect, it } from 'vitest';
import { ProtocolRateLimiter } from '../../../src/browser/limits/protocolRateLimiter.ts';

const LIMITS = { bytes: { burst: 100, perSecond: 10 }, events: { burst: 5, perSecond: 1 } };

function startLimiter() {
  let now = 0;
  const exceeded: string[] = [];
  const limiter = new ProtocolRateLimiter(LIMITS, () => now);
  for (const context of ['one', 'other']) {
    limiter.watch(context, () => exceeded.push(context));
    limiter.attached(`session of ${context}`, context);
    limiter.attached(`worker of ${context}`, context);
  }
  return {
    limiter,
    exceeded,
    wait(seconds: number) {
      now += seconds * 1_000;
    },
  };
}

describe('ProtocolRateLimiter', () => {
  it('reports a context whose sessions together exceed the burst of bytes, and no other', () => {
    const { limiter, exceeded } = startLimiter();
    limiter.record('session of one', 60, false);
    limiter.record('session of other', 60, false);
    limiter.record('worker of one', 60, false);
    expect(exceeded).toEqual(['one']);
  });

  it('reports a context once', () => {
    const { limiter, exceeded } = startLimiter();
    limiter.record('session of one', 101, false);
    limiter.record('session of one', 101, false);
    expect(exceeded).toEqual(['one']);
  });

  it('counts delivered events, not dropped ones, against the burst of events', () => {
    const { limiter, exceeded } = startLimiter();
    for (let i = 0; i < 6; i++) limiter.record('session of one', 1, false);
    expect(exceeded).toEqual([]);
    for (let i = 0; i < 6; i++) limiter.record('session of other', 1, true);
    expect(exceeded).toEqual(['other']);
  });

  it('does not report a context that stays below the rate', () => {
    const { limiter, exceeded, wait } = startLimiter();
    for (let i = 0; i < 20; i++) {
      limiter.record('session of one', 10, true);
      wait(1);
    }
    expect(exceeded).toEqual([]);
  });

  it('reports neither a context that is no longer watched nor events of a detached session', () => {
    const { limiter, exceeded } = startLimiter();
    limiter.detached('session of one');
    limiter.record('session of one', 101, false);
    limiter.watch('other', () => exceeded.push('other'))();
    limiter.record('session of other', 101, false);
    expect(exceeded).toEqual([]);
  });
});
