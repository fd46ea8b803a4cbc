import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callApi } from '../../support/callApi.ts';
import { type Contestant, found } from './contestant.ts';

/** The list as text, and what the bench needs to find an action by its name. */
const FIELDS = ['markdown', 'actions.id', 'actions.name'];
const PROGRAM = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** A running service in a process of its own. */
export interface ServedPagespace {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface Answer {
  readonly session_id: string;
  readonly space: {
    readonly markdown: string;
    readonly actions: readonly { readonly id: string; readonly name: string }[];
  };
  readonly data: { readonly markdown: string };
}

/** Starts the service on a free port and an empty data folder. @param env further settings */
export async function servePagespace(env: Readonly<Record<string, string>> = {}): Promise<ServedPagespace> {
  const folder = await mkdtemp(join(tmpdir(), 'pagespace-bench-'));
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: {
      ...process.env,
      PORT: '0',
      PAGESPACE_DATA_DIR: folder,
      PAGESPACE_EGRESS_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const started = Promise.withResolvers<void>();
  child.stdout.on('data', data => {
    output += String(data);
    if (/psk_\w+/.test(output) && output.includes('curl')) started.resolve();
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  await Promise.race([
    started.promise,
    ended.then(() => Promise.reject(new Error(`The service did not start:\n${output}`))),
  ]);
  return {
    url: found(output, /listens on (http:\S+)/),
    key: found(output, /^(psk_\w+)$/m),
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The service over REST, as an agent uses it: Markdown for lists and content. `whole` asks for the default answers, with all fields. */
export function pagespaceContestant(served: Pick<ServedPagespace, 'url' | 'key'>): Contestant {
  return { ...overRest(served, false), whole: overRest(served, true) };
}

function overRest({ url: base, key }: Pick<ServedPagespace, 'url' | 'key'>, isWhole: boolean): Contestant {
  let sessionId = '';
  let actions: Answer['space']['actions'] = [];
  const call = async (path: string, body: object): Promise<Answer> => {
    const response = await callApi(base, 'POST', path, { key, body });
    if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const operate = async (path: string, body: object): Promise<string> => {
    const answer = await call(path, { session_id: sessionId, ...(!isWhole && { fields: FIELDS }), ...body });
    ({ actions } = answer.space);
    return answer.space.markdown;
  };
  const idOf = (name: string): string => {
    const action = actions.find(one => one.name === name);
    if (action === undefined) throw new Error(`There is no action ${name}`);
    return action.id;
  };
  return {
    name: 'pagespace',
    async start() {
      ({ session_id: sessionId } = await call('/session/start', {}));
    },
    open: url => operate('/env/observe', { url }),
    list: () => operate('/env/observe', {}),
    click: name => operate('/env/step', { action_id: idOf(name) }),
    type: (name, text) => operate('/env/step', { action_id: idOf(name), value: text }),
    async content() {
      const lean = { only_main_content: false, formats: ['markdown'], fields: ['data'] };
      const answer = await call('/env/scrape', { session_id: sessionId, ...(!isWhole && lean) });
      return answer.data.markdown;
    },
    async end() {
      await call('/session/close', { session_id: sessionId });
    },
    stop: async () => {},
  };
}
