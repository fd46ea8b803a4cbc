import { describe, expect, it } from 'vitest';
import { Speech } from '../../../src/browser/speech.ts';

const LIMITS = { bytes: { atOnce: 100, perSecond: 10 }, events: { atOnce: 5, perSecond: 1 } };

function listening() {
  let now = 0;
  const told: string[] = [];
  const speech = new Speech(LIMITS, () => now);
  for (const context of ['one', 'other']) {
    speech.watch(context, () => told.push(context));
    speech.attached(`session of ${context}`, context);
    speech.attached(`worker of ${context}`, context);
  }
  return {
    speech,
    told,
    after(seconds: number) {
      now += seconds * 1_000;
    },
  };
}

describe('who says too much', () => {
  it('at once is told of, and nobody else', () => {
    const { speech, told } = listening();
    speech.heard('session of one', 60, false);
    speech.heard('session of other', 60, false);
    speech.heard('worker of one', 60, false);
    expect(told).toEqual(['one']);
  });

  it('is told of once', () => {
    const { speech, told } = listening();
    speech.heard('session of one', 101, false);
    speech.heard('session of one', 101, false);
    expect(told).toEqual(['one']);
  });

  it('in too many words is told of, where they are read', () => {
    const { speech, told } = listening();
    for (let nth = 0; nth < 6; nth++) speech.heard('session of one', 1, false);
    expect(told).toEqual([]);
    for (let nth = 0; nth < 6; nth++) speech.heard('session of other', 1, true);
    expect(told).toEqual(['other']);
  });

  it('is not who takes the time for it', () => {
    const { speech, told, after } = listening();
    for (let nth = 0; nth < 20; nth++) {
      speech.heard('session of one', 10, true);
      after(1);
    }
    expect(told).toEqual([]);
  });

  it('is not told of after it was given up, nor by a session that has ended', () => {
    const { speech, told } = listening();
    speech.detached('session of one');
    speech.heard('session of one', 101, false);
    speech.watch('other', () => told.push('other'))();
    speech.heard('session of other', 101, false);
    expect(told).toEqual([]);
  });
});
