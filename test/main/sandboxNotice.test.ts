import { describe, expect, it } from 'vitest';
import { sandboxNotice } from '../../src/main/sandboxNotice.ts';

const root = process.getuid?.() === 0;

describe("Chromium's sandbox", () => {
  it('is on without a word where it is asked for', () => {
    expect(sandboxNotice({ chromiumSandbox: 'on', host: '0.0.0.0' })).toBeNull();
  });

  it('is off without a word where that is asked for', () => {
    expect(sandboxNotice({ chromiumSandbox: 'off', host: '0.0.0.0' })).toBeNull();
  });

  it.runIf(root)('that root cannot have is told on loopback, and refused where others can call', () => {
    expect(sandboxNotice({ chromiumSandbox: 'auto', host: '127.0.0.1' })).toContain('another user');
    expect(() => sandboxNotice({ chromiumSandbox: 'auto', host: '0.0.0.0' })).toThrow(
      'PAGESPACE_CHROMIUM_SANDBOX=off',
    );
  });

  it.runIf(!root)('is on for anybody but root', () => {
    expect(sandboxNotice({ chromiumSandbox: 'auto', host: '0.0.0.0' })).toBeNull();
  });
});
