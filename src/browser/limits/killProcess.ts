/** Kills a process at once; does nothing when it has ended already. @param pid a negative number kills a process group */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
