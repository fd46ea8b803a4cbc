import { describe, expect, it } from 'vitest';
import { sandboxWarning } from '../../src/main/startServing.ts';

const root = process.getuid?.() === 0;

describe('sandboxWarning', () => {
  it('returns null when the sandbox is turned on', () => {
    expect(sandboxWarning({ chromiumSandbox: 'on', host: '0.0.0.0' })).toBeNull();
  });

  it('returns null when the sandbox is turned off', () => {
    expect(sandboxWarning({ chromiumSandbox: 'off', host: '0.0.0.0' })).toBeNull();
  });

  it('returns null when the outer sandbox runs browsers as a user of their own', () => {
    expect(sandboxWarning({ chromiumSandbox: 'auto', host: '0.0.0.0' }, new Set(['user']))).toBeNull();
  });

  it(
    root ? 'warns root on loopback and throws on other interfaces' : 'returns null for users other than root',
    () => {
      const ask = (host: string) => () => sandboxWarning({ chromiumSandbox: 'auto', host });
      if (!root) return expect(ask('0.0.0.0')()).toBeNull();
      expect(ask('127.0.0.1')()).toContain('another user');
      expect(ask('0.0.0.0')).toThrow('PAGESPACE_CHROMIUM_SANDBOX=off');
    },
  );
});
