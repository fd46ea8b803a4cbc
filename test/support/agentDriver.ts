import { PAGE_PARTS, type PagePart } from '../../src/domain/content/contentParts.ts';
import type { Action } from '../../src/domain/space/action.ts';
import type { ObservationResult } from '../../src/service/pagespace.ts';
import type { ScrapeCommand } from '../../src/service/sessions/sessionOperations.ts';
import type { StartedService } from './startService.ts';

const ALL_CONTENT = {
  ...(Object.fromEntries(PAGE_PARTS.map(part => [part, true])) as Record<PagePart, boolean>),
  images: false,
  onlyMainContent: true,
};

/** Drives one session as an agent does: observes, finds actions by their descriptions, steps. */
export interface AgentDriver {
  readonly sessionId: string;
  /** The result of the last operation. @throws Error before the first one */
  readonly lastObservation: ObservationResult;
  observe(url?: string | null): Promise<ObservationResult>;
  /** The one listed action whose description matches. @throws Error when none or several match */
  find(description: RegExp): Action;
  /** Steps by id, or by the description of a listed action. */
  step(
    action: string | RegExp,
    value?: string | null,
    more?: { enter?: boolean; diffSince?: string; waitMs?: number; readsContent?: boolean },
  ): Promise<ObservationResult>;
  /** Scrapes the whole visible page. @param more replaces parts of the command */
  scrape(url?: string | null, more?: Partial<ScrapeCommand>): Promise<ObservationResult>;
  /** The text of the visible page. */
  text(): Promise<string>;
  close(): Promise<void>;
}

export async function startAgentDriver({ service, viewer }: StartedService): Promise<AgentDriver> {
  const signal = new AbortController().signal;
  const options = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };
  const limits = { max: 500, min: null };
  const { session } = await service.start(viewer, options);
  const sessionId = session.id;
  let latest: ObservationResult | null = null;
  const agent: AgentDriver = {
    sessionId,
    get lastObservation() {
      if (latest === null) throw new Error('Nothing was observed yet.');
      return latest;
    },
    async observe(url = null) {
      latest = await service.observe(viewer, { ...options, sessionId, url, limits, data: null, space: true });
      return latest;
    },
    find(description) {
      const actions = agent.lastObservation.space?.actions ?? [];
      const [found, second] = actions.filter(action => description.test(action.description));
      const all = actions.map(action => `${action.id} ${action.description}`).join('\n');
      if (found === undefined) throw new Error(`No description matches ${description}:\n${all}`);
      if (second !== undefined) throw new Error(`More than one description matches ${description}:\n${all}`);
      return found;
    },
    async step(action, value = null, more = {}) {
      const actionId = typeof action === 'string' ? action : agent.find(action).id;
      const command = {
        ...options,
        sessionId,
        actionId,
        value,
        enter: more.enter ?? false,
        diffSince: more.diffSince ?? null,
        waitMs: more.waitMs ?? null,
        readsContent: more.readsContent ?? false,
        params: {},
        limits,
      };
      latest = await service.step(viewer, { ...command, data: ALL_CONTENT });
      return latest;
    },
    scrape(url = null, more = {}) {
      const data = { ...ALL_CONTENT, onlyMainContent: false };
      return service.scrape(viewer, { ...options, sessionId, url, limits, data, space: true, ...more });
    },
    async text() {
      return (await agent.scrape()).data?.text ?? '';
    },
    async close() {
      await service.close(viewer, { sessionId, screenshot: false, signal });
    },
  };
  return agent;
}
