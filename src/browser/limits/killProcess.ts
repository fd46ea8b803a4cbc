/** Kills a process immediately. Does nothing if it has already ended. @param pid a negative number kills a process group */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
