import { describe, expect, test } from 'vitest';
import { REFUSED_SYSTEM_CALLS, seccompFilter } from '../../../src/browser/sandbox/sandboxedLaunch.ts';

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const KILL = 0x80000000;
const X64 = 0xc000003e;

/** Runs a filter as the kernel does. @returns the action for a system call */
function filterAction(
  filter: Buffer,
  { number, architecture }: { number: number; architecture: number },
): number {
  let accumulator = 0;
  for (let at = 0; at * 8 < filter.length; at++) {
    const code = filter.readUInt16LE(at * 8);
    const value = filter.readUInt32LE(at * 8 + 4);
    const jump = (condition: boolean) => filter.readUInt8(at * 8 + (condition ? 2 : 3));
    if (code === 0x20) accumulator = value === 0 ? number : architecture;
    else if (code === 0x15) at += jump(accumulator === value);
    else if (code === 0x35) at += jump(accumulator >= value);
    else return value;
  }
  throw new Error('The filter has no result.');
}

describe('seccompFilter', () => {
  const filter = seccompFilter('x64') ?? Buffer.alloc(0);

  test.each(REFUSED_SYSTEM_CALLS.filter(({ x64 }) => x64 !== null))('refuses $name', ({ x64 }) => {
    expect(filterAction(filter, { number: x64 ?? -1, architecture: X64 })).toBe(EPERM);
  });

  test('allows every other system call', () => {
    const refused = new Set(REFUSED_SYSTEM_CALLS.map(({ x64 }) => x64));
    for (let number = 0; number < 500; number++)
      if (!refused.has(number)) expect(filterAction(filter, { number, architecture: X64 })).toBe(ALLOW);
  });

  test('refuses the system calls of the x32 interface', () => {
    expect(filterAction(filter, { number: 0x40000000 + 101, architecture: X64 })).toBe(EPERM);
  });

  test('ends a process that calls the kernel as another architecture', () => {
    expect(filterAction(filter, { number: 101, architecture: 0x40000003 })).toBe(KILL);
  });

  test('has the numbers of arm64 too, and no filter for other architectures', () => {
    const arm = seccompFilter('arm64') ?? Buffer.alloc(0);
    expect(filterAction(arm, { number: 117, architecture: 0xc00000b7 })).toBe(EPERM);
    expect(seccompFilter('riscv64')).toBeNull();
  });
});
