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
    speech: limiter,
    told: exceeded,
    after(seconds: number) {
      now += seconds * 1_000;
    },
  };
}

describe('who says too much', () => {
  it('at once is told of, and nobody else', () => {
    const { speech, told } = startLimiter();
    speech.record('session of one', 60, false);
    speech.record('session of other', 60, false);
    speech.record('worker of one', 60, false);
    expect(told).toEqual(['one']);
  });

  it('is told of once', () => {
    const { speech, told } = startLimiter();
    speech.record('session of one', 101, false);
    speech.record('session of one', 101, false);
    expect(told).toEqual(['one']);
  });

  it('in too many words is told of, where they are read', () => {
    const { speech, told } = startLimiter();
    for (let nth = 0; nth < 6; nth++) speech.record('session of one', 1, false);
    expect(told).toEqual([]);
    for (let nth = 0; nth < 6; nth++) speech.record('session of other', 1, true);
    expect(told).toEqual(['other']);
  });

  it('is not who takes the time for it', () => {
    const { speech, told, after } = startLimiter();
    for (let nth = 0; nth < 20; nth++) {
      speech.record('session of one', 10, true);
      after(1);
    }
    expect(told).toEqual([]);
  });

  it('is not told of after it was given up, nor by a session that has ended', () => {
    const { speech, told } = startLimiter();
    speech.detached('session of one');
    speech.record('session of one', 101, false);
    speech.watch('other', () => told.push('other'))();
    speech.record('session of other', 101, false);
    expect(told).toEqual([]);
  });
});
