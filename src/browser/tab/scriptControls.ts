import type { CdpChannel } from '../cdp/cdpChannel.ts';
import type { RendererPidTracker } from '../limits/rendererPidTracker.ts';
import type { ScriptUsageDeps } from './scriptUsage.ts';

/** Controls of a page that Chromium carries out also while a script of the page runs. */
export interface ScriptControls extends ScriptUsageDeps {
  /** While true, each new request of the page fails at once, also while a script of the page waits. */
  setOffline(isOffline: boolean): void;
  /** While true, no script of the page begins, only the calls of the service. A script that runs goes on. */
  setScriptsPaused(isPaused: boolean): void;
}

export const scriptControls = (
  channel: CdpChannel,
  rendererPids: Pick<RendererPidTracker, 'mainThreadsMs'>,
): ScriptControls => ({
  processMs: () => rendererPids.mainThreadsMs(),
  async threadMs() {
    const { metrics } = await channel.session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0) * 1_000;
  },
  setOffline(isOffline) {
    const speed = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    channel.sendNoReply('Network.emulateNetworkConditions', { offline: isOffline, ...speed });
  },
  setScriptsPaused(isPaused) {
    channel.sendNoReply('Emulation.setScriptExecutionDisabled', { value: isPaused });
  },
});
