import type { Action } from '../../src/domain/action.ts';
import type { ObservationAnswer } from '../../src/service/verbs.ts';
import type { StartedService } from './startService.ts';

const EVERYTHING = {
  onlyMainContent: true,
  mainContent: true,
  markdown: true,
  text: true,
  images: false,
  links: true,
  structured: true,
  metadata: true,
};

/** An agent in one session: observes, finds actions by what they say, steps. */
export interface Player {
  readonly sessionId: string;
  /** The last answer. */
  readonly seen: ObservationAnswer;
  observe(url?: string | null): Promise<ObservationAnswer>;
  /** The one listed action whose description matches. */
  find(description: RegExp): Action;
  /** Steps by id, or by the description of a listed action. */
  step(
    action: string | RegExp,
    value?: string | null,
    more?: { enter?: boolean },
  ): Promise<ObservationAnswer>;
  /** Everything of the visible page. */
  scrape(url?: string | null): Promise<ObservationAnswer>;
  /** What the page shows as text. */
  text(): Promise<string>;
  close(): Promise<void>;
}

export async function startPlayer({ service, viewer }: StartedService): Promise<Player> {
  const signal = new AbortController().signal;
  const options = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };
  const limits = { max: 500, min: null };
  const { session } = await service.start(viewer, options);
  const sessionId = session.id;
  let last: ObservationAnswer | null = null;
  const player: Player = {
    sessionId,
    get seen() {
      if (last === null) throw new Error('nothing was observed yet');
      return last;
    },
    async observe(url = null) {
      last = await service.observe(viewer, { ...options, sessionId, url, limits, data: null, space: true });
      return last;
    },
    find(description) {
      const actions = player.seen.space?.actions ?? [];
      const [found, second] = actions.filter(action => description.test(action.description));
      const all = actions.map(action => `${action.id} ${action.description}`).join('\n');
      if (found === undefined) throw new Error(`Nothing is described like ${description}:\n${all}`);
      if (second !== undefined) throw new Error(`More than one is described like ${description}:\n${all}`);
      return found;
    },
    async step(action, value = null, more = {}) {
      const actionId = typeof action === 'string' ? action : player.find(action).id;
      const command = {
        ...options,
        sessionId,
        actionId,
        value,
        enter: more.enter ?? false,
        params: {},
        limits,
      };
      last = await service.step(viewer, { ...command, data: EVERYTHING });
      return last;
    },
    scrape(url = null) {
      const data = { ...EVERYTHING, onlyMainContent: false };
      return service.scrape(viewer, { ...options, sessionId, url, limits, data, space: true });
    },
    async text() {
      return (await player.scrape()).data?.text ?? '';
    },
    async close() {
      await service.close(viewer, { sessionId, screenshot: false, signal });
    },
  };
  return player;
}
