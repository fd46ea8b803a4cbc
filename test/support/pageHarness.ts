import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type AgentDriver, startAgentDriver } from './agentDriver.ts';
import { deferred } from './deferred.ts';
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
