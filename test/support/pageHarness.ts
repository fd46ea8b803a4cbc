import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type AgentDriver, startAgentDriver } from './agentDriver.ts';
import { type Page, type ServedPages, servePages } from './servePages.ts';
import { type StartedService, type StartServiceOptions, startService } from './startService.ts';

/** A service, the pages it visits and an agent, for the tests of one block. */
export interface PageHarness {
  readonly started: StartedService;
  readonly pages: ServedPages;
  readonly agent: AgentDriver;
}

export interface PageHarnessOptions extends StartServiceOptions {
  /** When the agent gets a new session. Default: once for all tests of the block. */
  readonly agent?: 'for each test' | 'for all tests';
}

/** Starts a service, a page server and an agent before the tests of the enclosing block, and closes them afterwards. */
export function pageHarness(
  served: Readonly<Record<string, Page>>,
  options: PageHarnessOptions = {},
): PageHarness {
  const { agent: lifetime = 'for all tests', ...serviceOptions } = options;
  const started = deferred<StartedService>();
  const pages = deferred<ServedPages>();
  const agent = deferred<AgentDriver>();
  beforeAll(async () => {
    await Promise.all([started.set(startService(serviceOptions)), pages.set(servePages(served))]);
    if (lifetime === 'for all tests') await agent.set(startAgentDriver(started.value));
  });
  if (lifetime === 'for each test')
    beforeEach(async () => {
      await agent.set(startAgentDriver(started.value));
      return () => agent.value.close();
    });
  afterAll(async () => {
    await started.value[Symbol.asyncDispose]();
    await pages.value[Symbol.asyncDispose]();
  });
  return { started: started.value, pages: pages.value, agent: agent.value };
}

/** A value that tests can refer to before it exists. It is set before they run. */
function deferred<Value extends object>(): { value: Value; set(pending: Promise<Value>): Promise<void> } {
  let current: Value | null = null;
  const value = new Proxy({} as Value, {
    get(_, name) {
      if (current === null) throw new Error('It is not started yet. Use it only in tests and hooks.');
      const found: unknown = Reflect.get(current, name, current);
      return typeof found === 'function' ? found.bind(current) : found;
    },
  });
  const set = async (coming: Promise<Value>): Promise<void> => {
    current = await coming;
  };
  return { value, set };
}
