/** Ends a process at once; one that has gone meanwhile is none of our care. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
