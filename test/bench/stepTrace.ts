/** Lists the CDP messages of one step: what is sent, and what waits for what. */
import { setTimeout as wait } from 'node:timers/promises';
import { serveTree } from './serveTree.ts';
import { MEASURED_STEPS } from './stepPages.ts';

const POLL_MS = 50;

/** One CDP call as Playwright's protocol log shows it. */
interface Call {
  readonly method: string;
  readonly detail: string;
  readonly sentAt: number;
  answeredAt: number;
}

/** Reads calls from the lines of `DEBUG=pw:protocol`. */
class ProtocolLog {
  readonly #calls = new Map<number, Call>();

  add(line: string): void {
    const [, direction, json = ''] = /(SEND ►|◀ RECV) (\{.*)$/.exec(line) ?? [];
    const now = performance.now();
    if (direction === undefined) return;
    const id = Number(/"id":(\d+)/.exec(json)?.[1] ?? Number.NaN);
    if (Number.isNaN(id)) return;
    const answered = this.#calls.get(id);
    if (direction === '◀ RECV') {
      if (answered !== undefined) answered.answeredAt = now;
      return;
    }
    const method = /"method":"([\w.]+)"/.exec(json)?.[1] ?? '';
    const agent = /__pagespace\.(\w+)/.exec(json)?.[1] ?? /return this\.(\w+)\(/.exec(json)?.[1];
    const detail = agent ?? /"type":"(\w+)"/.exec(json)?.[1] ?? (json.length > 20_000 ? 'a script' : '');
    this.#calls.set(id, { method, detail, sentAt: now, answeredAt: Number.NaN });
  }

  /** Resolves when the browser has answered all calls, and none was sent since the poll before. */
  async untilQuiet(): Promise<void> {
    for (let seen = -1; seen !== this.#calls.size || this.#hasOpenCall(); ) {
      seen = this.#calls.size;
      await wait(POLL_MS);
    }
  }

  #hasOpenCall(): boolean {
    return [...this.#calls.values()].some(({ answeredAt }) => Number.isNaN(answeredAt));
  }

  take(): Call[] {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    return calls;
  }
}

/**
 * Counts the round trips that follow one another: a call that is sent after the answer to an earlier one waits for it.
 */
function sequentialRoundTrips(calls: readonly Call[]): number {
  let count = 0;
  let groupEnd = Number.NEGATIVE_INFINITY;
  for (const { sentAt, answeredAt } of calls) {
    if (Number.isNaN(answeredAt)) continue;
    if (sentAt >= groupEnd) {
      count++;
      groupEnd = answeredAt;
    } else groupEnd = Math.min(groupEnd, answeredAt);
  }
  return count;
}

/** Performs each measured step twice in the service of a folder, and prints the CDP messages of the second one. */
export async function printTrace(
  folder: string,
  site: { readonly url: string; readonly port: number },
): Promise<void> {
  const log = new ProtocolLog();
  const tree = await serveTree(folder, site.port, line => log.add(line), { DEBUG: 'pw:protocol' });
  for (const { name, path, target, value } of MEASURED_STEPS) {
    const { session_id } = await tree.call('/session/start', {});
    const seen = await tree.call('/env/observe', { session_id, url: site.url + path });
    const action_id = seen.space?.actions.find(action => action.name === target)?.id;
    for (const nth of [1, 2]) {
      await log.untilQuiet();
      log.take();
      const start = performance.now();
      await tree.call('/env/step', {
        session_id,
        action_id,
        ...(value !== null && { value: `${value}${nth}` }),
      });
      const end = performance.now();
      const calls = log.take();
      console.log(
        `\n${name}, step ${nth}: ${(end - start).toFixed(0)} ms, ${calls.length} messages, ${sequentialRoundTrips(calls)} round trips one after another`,
      );
      for (const { method, detail, sentAt, answeredAt } of calls)
        console.log(
          `  ${(sentAt - start).toFixed(1).padStart(7)} ${Number.isNaN(answeredAt) ? '      –' : (answeredAt - start).toFixed(1).padStart(7)}  ${method} ${detail}`,
        );
    }
    await tree.call('/session/close', { session_id });
  }
  await tree.close();
}
