import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Player, startPlayer } from './player.ts';
import { type Page, type ServedPages, servePages } from './servePages.ts';
import { type StartedService, type StartOptions, startService } from './startService.ts';

/** What the tests of a block play with. */
export interface Stage {
  readonly started: StartedService;
  readonly pages: ServedPages;
  readonly player: Player;
}

export interface StageOptions extends StartOptions {
  /** Whose session is new: every test's, or that of the block. The block's unless given. */
  readonly player?: 'for each test' | 'for all tests';
}

/** Starts a service, pages and a player before the tests of the block that it is called in, and ends them after. */
export function stage(served: Readonly<Record<string, Page>>, options: StageOptions = {}): Stage {
  const { player: whose = 'for all tests', ...how } = options;
  const started = late<StartedService>();
  const pages = late<ServedPages>();
  const player = late<Player>();
  beforeAll(async () => {
    await Promise.all([started.set(startService(how)), pages.set(servePages(served))]);
    if (whose === 'for all tests') await player.set(startPlayer(started.value));
  });
  if (whose === 'for each test')
    beforeEach(async () => {
      await player.set(startPlayer(started.value));
      return () => player.value.close();
    });
  afterAll(async () => {
    await started.value[Symbol.asyncDispose]();
    await pages.value[Symbol.asyncDispose]();
  });
  return { started: started.value, pages: pages.value, player: player.value };
}

/** Something that is there when tests run, and can be named before. */
function late<Value extends object>(): { value: Value; set(coming: Promise<Value>): Promise<void> } {
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
