/** A seccomp filter for the browser: a program of classic BPF that refuses system calls which a browser never needs. */

/**
 * The refused system calls and their numbers on x64 and arm64 (null: the architecture does not have the call). They are those
 * that Flatpak and Docker refuse by default: debugging of other processes, keys, kernel modules, mounts, clocks, tracing.
 * Sources: `flatpak-run.c` (`setup_seccomp`), Docker's `profiles/seccomp/default.json`, the kernel's `unistd.h` tables.
 */
export const REFUSED_SYSTEM_CALLS: readonly {
  readonly name: string;
  readonly x64: number | null;
  readonly arm64: number | null;
}[] = [
  { name: 'acct', x64: 163, arm64: 89 },
  { name: 'add_key', x64: 248, arm64: 217 },
  { name: 'adjtimex', x64: 159, arm64: 171 },
  { name: 'bpf', x64: 321, arm64: 280 },
  { name: 'clock_adjtime', x64: 305, arm64: 266 },
  { name: 'clock_settime', x64: 227, arm64: 112 },
  { name: 'delete_module', x64: 176, arm64: 106 },
  { name: 'fanotify_init', x64: 300, arm64: 262 },
  { name: 'finit_module', x64: 313, arm64: 273 },
  { name: 'fsconfig', x64: 431, arm64: 431 },
  { name: 'fsmount', x64: 432, arm64: 432 },
  { name: 'fsopen', x64: 430, arm64: 430 },
  { name: 'fspick', x64: 433, arm64: 433 },
  { name: 'init_module', x64: 175, arm64: 105 },
  { name: 'io_uring_enter', x64: 426, arm64: 426 },
  { name: 'io_uring_register', x64: 427, arm64: 427 },
  { name: 'io_uring_setup', x64: 425, arm64: 425 },
  { name: 'ioperm', x64: 173, arm64: null },
  { name: 'iopl', x64: 172, arm64: null },
  { name: 'kcmp', x64: 312, arm64: 272 },
  { name: 'kexec_file_load', x64: 320, arm64: 294 },
  { name: 'kexec_load', x64: 246, arm64: 104 },
  { name: 'keyctl', x64: 250, arm64: 219 },
  { name: 'lookup_dcookie', x64: 212, arm64: 18 },
  { name: 'mount', x64: 165, arm64: 40 },
  { name: 'mount_setattr', x64: 442, arm64: 442 },
  { name: 'move_mount', x64: 429, arm64: 429 },
  { name: 'name_to_handle_at', x64: 303, arm64: 264 },
  { name: 'open_by_handle_at', x64: 304, arm64: 265 },
  { name: 'open_tree', x64: 428, arm64: 428 },
  { name: 'perf_event_open', x64: 298, arm64: 241 },
  { name: 'pidfd_getfd', x64: 438, arm64: 438 },
  { name: 'pivot_root', x64: 155, arm64: 41 },
  { name: 'process_vm_readv', x64: 310, arm64: 270 },
  { name: 'process_vm_writev', x64: 311, arm64: 271 },
  { name: 'ptrace', x64: 101, arm64: 117 },
  { name: 'quotactl', x64: 179, arm64: 60 },
  { name: 'reboot', x64: 169, arm64: 142 },
  { name: 'request_key', x64: 249, arm64: 218 },
  { name: 'setdomainname', x64: 171, arm64: 162 },
  { name: 'sethostname', x64: 170, arm64: 161 },
  { name: 'setns', x64: 308, arm64: 268 },
  { name: 'settimeofday', x64: 164, arm64: 170 },
  { name: 'swapoff', x64: 168, arm64: 225 },
  { name: 'swapon', x64: 167, arm64: 224 },
  { name: 'syslog', x64: 103, arm64: 116 },
  { name: 'umount2', x64: 166, arm64: 39 },
  { name: 'uselib', x64: 134, arm64: null },
  { name: 'userfaultfd', x64: 323, arm64: 282 },
  { name: 'vhangup', x64: 153, arm64: 58 },
];

/** `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64` of linux/audit.h. */
const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

// Opcodes of linux/bpf_common.h: load a word at an absolute offset, jump if equal, jump if greater or equal, return.
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
// Offsets of `struct seccomp_data` and actions of linux/seccomp.h.
const OFFSET_OF_NUMBER = 0;
const OFFSET_OF_ARCHITECTURE = 4;
const ALLOW = 0x7fff0000;
const REFUSE_WITH_EPERM = 0x00050001;
const KILL_PROCESS = 0x80000000;
/** Numbers from this on belong to the x32 interface, whose calls would bypass the list. */
const FIRST_X32_NUMBER = 0x40000000;

/**
 * Returns the filter as the bytes that `bwrap --seccomp` reads (an array of `struct sock_filter`).
 * @returns null if the filter does not support the architecture
 */
export function seccompFilter(architecture: string): Buffer | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null;
  const numbers = REFUSED_SYSTEM_CALLS.map(call => call[architecture]).filter(number => number !== null);
  const checks = numbers.length + 1;
  const program = [
    [LOAD, 0, 0, OFFSET_OF_ARCHITECTURE],
    [JUMP_IF_EQUAL, 1, 0, ARCHITECTURES[architecture]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, OFFSET_OF_NUMBER],
    [JUMP_IF_AT_LEAST, checks, 0, FIRST_X32_NUMBER],
    // Each check jumps over the checks that are left and the instruction that allows the call.
    ...numbers.map((number, index) => [JUMP_IF_EQUAL, checks - 1 - index, 0, number]),
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, REFUSE_WITH_EPERM],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code = 0, ifTrue = 0, ifFalse = 0, value = 0], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  });
  return bytes;
}
