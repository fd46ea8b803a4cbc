/** The layers of the outer sandbox. */

/**
 * `filesystem`: the browser sees programs of the system and its own folder. `network`: a network namespace
 * whose only way out is the session proxies. `seccomp`: the kernel refuses system calls that a browser never needs. `user`: the browser runs as a user
 * of its own. `cgroup`: limits of memory, threads and processor share.
 */
export const SANDBOX_LAYERS = ['filesystem', 'network', 'seccomp', 'user', 'cgroup'] as const;
export type SandboxLayer = (typeof SANDBOX_LAYERS)[number];
