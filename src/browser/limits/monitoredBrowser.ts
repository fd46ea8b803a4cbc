import type { OpenInternalPage, SessionResourceUsage } from './sessionResourceUsage.ts';

export interface BrowserProcess {
  readonly pid: number;
  /** True for a renderer, a process that runs pages. Each renderer belongs to one session; sessions share all other processes. */
  readonly isRenderer: boolean;
  /** True for the process that draws for all pages and holds their textures. Chromium starts another one when it ends. */
  readonly isGpu: boolean;
  readonly cpuSeconds: number;
}

export interface MonitoredSession {
  readonly resourceUsage: SessionResourceUsage;
  /** Ends the session. Only the first call has an effect. @param reason sentences for the client */
  limitExceeded(reason: string): void;
}

export interface MonitoredBrowser {
  readonly leases: ReadonlySet<MonitoredSession>;
  readonly isClosed: boolean;
  processes(): Promise<readonly BrowserProcess[]>;
  readonly openInternalPage: OpenInternalPage;
  killRenderers(pids: readonly number[]): void;
  /** Kills the GPU process if it is one of the processes. Chromium starts another one. */
  killGpu(pids: readonly number[]): void;
  /** Kills a renderer whose session is unknown. @param reason error text for the session whose page crashes because of this */
  killRenderer(pid: number, reason: string): void;
}

/** Ends a session and kills its renderers, which continue to grow: the limit is reported before, so that no crash is. */
export function endSession(
  browser: Pick<MonitoredBrowser, 'killRenderers'>,
  session: Pick<MonitoredSession, 'limitExceeded'>,
  reason: string,
  pids: readonly number[],
): void {
  session.limitExceeded(reason);
  browser.killRenderers(pids);
}
