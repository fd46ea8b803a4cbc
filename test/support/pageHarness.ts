import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type AgentDriver, startAgentDriver } from './agentDriver.ts';
import { type Page, type ServedPages, servePages } from './servePages.ts';
import { type StartedService, type StartServiceOptions, startService } from './startService.ts';

/** What the tests of a block play with. */
export interface PageHarness {
  readonly started: StartedService;
  readonly pages: ServedPages;
  readonly agent: AgentDriver;
}

export interface PageHarnessOptions extends StartServiceOptions {
  /** Whose session is new: every test's, or that of the block. The block's unless given. */
  readonly agent?: 'for each test' | 'for all tests';
}

/** Starts a service, pages and a player before the tests of the block that it is called in, and ends them after. */
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

/** Something that is there when tests run, and can be named before. */
function deferred<Value extends object>(): { value: Value; set(pending: Promise<Value>): Promise<void> } {
  let current: Value | null = null;
  const value = new Proxy({} as Value, {
    get(_, name) {
      if (current === null) throw new Error('It is not started yet: tests and hooks may use it.');
      const found: unknown = Reflect.get(current, name, current);
      return typeof found === 'function' ? found.bind(current) : found;
    },
  });
  const set = async (coming: Promise<Value>): Promise<void> => {
    current = await coming;
  };
  return { value, set };
}
