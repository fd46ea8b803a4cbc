import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';

/** One sentence on the machine and the versions of a run. @param chromium the browser's version */
export function describeMachine(chromium: string): string {
  const [core] = cpus();
  const gigabytes = Math.round(totalmem() / 1e9);
  const load = loadavg()[0]?.toFixed(1);
  const day = new Date(performance.timeOrigin).toISOString().slice(0, 10);
  return `${day}, ${cpus().length} cores (${core?.model.trim() ?? arch()}), ${gigabytes} GB, ${platform()} ${release()}, Node ${process.version}, ${chromium}, load ${load} at the end.`;
}
