import { describe, expect, it } from 'vitest';
import { sandboxWarning } from '../../src/main/sandboxWarning.ts';

const root = process.getuid?.() === 0;

describe("Chromium's sandbox", () => {
  it('is on without a word where it is asked for', () => {
    expect(sandboxWarning({ chromiumSandbox: 'on', host: '0.0.0.0' })).toBeNull();
  });

  it('is off without a word where that is asked for', () => {
    expect(sandboxWarning({ chromiumSandbox: 'off', host: '0.0.0.0' })).toBeNull();
  });

  it(`is ${root ? 'told of on loopback, and refused where others can call, since root cannot have it' : 'on for anybody but root'}`, () => {
    const ask = (host: string) => () => sandboxWarning({ chromiumSandbox: 'auto', host });
    if (!root) return expect(ask('0.0.0.0')()).toBeNull();
    expect(ask('127.0.0.1')()).toContain('another user');
    expect(ask('0.0.0.0')).toThrow('PAGESPACE_CHROMIUM_SANDBOX=off');
  });
});
