import { readFileSync } from 'node:fs';
import type { CDPSession } from 'playwright';
import type { Json } from '../../domain/json.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { PageAgent } from '../injected/agent/main.ts';
import type { ObserveOptions, StatedTraits } from '../injected/perceive/wireFormat.ts';
import { type CdpChannel, raceDeadline } from './cdpChannel.ts';
import { isNestedTooDeeply, isTargetGone, UTILITY_WORLD_PREFIX } from './playwrightInternals.ts';

/**
 * Name of an injected script: `agent` installs `globalThis.__pagespace` (`PageAgent`), `scrape` installs
 * `globalThis.__pagespaceScrape`, and `prewarm` installs `globalThis.__pagespacePrewarm`. `documentStart` runs before
 * the scripts of a page, `sharedWorkers` takes shared workers away.
 */
type InjectedScriptName = 'agent' | 'scrape' | 'prewarm' | 'documentStart' | 'sharedWorkers';

const cache = new Map<InjectedScriptName, string>();

/** Evaluating the source more than once in a world is harmless. @throws Error when the script is not built */
export function injectedScript(name: InjectedScriptName): string {
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  const url = new URL(`../../../dist/page/${name}.js`, import.meta.url);
  try {
    const source = readFileSync(url, 'utf8');
    cache.set(name, source);
    return source;
  } catch (cause) {
    throw new Error(`The injected script "${name}" is not built. Run: npm run build`, { cause });
  }
}

type InstalledScriptName = Extract<InjectedScriptName, 'agent' | 'scrape'>;

/**
 * Notes whether a document has had a script since its start: an element that runs one, or an attribute for an event that comes by itself, also if it has
 * removed itself. The observer is called before the parser runs a script, when its element is there. A document that was there before counts as one
 * that has. The nodes that come are not read one by one: that would take half the time in which a large document is parsed.
 */
const SCRIPT_NOTE = `(note => {
  const find = document.querySelector.bind(document, 'script:not([type*=json i]),[onload],[onerror],[onpageshow],[onfocus],[ontoggle],[onanimationstart]');
  new MutationObserver((_, observer) => {
    if (find() === null) return;
    note.hadScript = true;
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true });
  return note;
})({ hadScript: document.documentElement !== null })`;

/**
 * Returns the source of a script for the start of each document. It keeps the scripts of operations ready, but runs none of them: sending one
 * for each document takes longer than running it. The agent is in parentheses, so that V8 compiles it with the rest: every document of a
 * session needs it.
 */
export const readyScripts = (): string =>
  `globalThis.__pagespaceScripts = { note: ${SCRIPT_NOTE}, agent: (function () { ${injectedScript('agent')} }), scrape() { ${injectedScript('scrape')} } }`;

/** Returns a JavaScript expression that runs a script that the document keeps ready, once; its value is false if there is none. */
export const runReadyScript = (name: InstalledScriptName): string =>
  `Object.hasOwn(globalThis, '__pagespaceScripts') && (__pagespaceScripts.${name}?.(), __pagespaceScripts.${name} = null, true)`;

/** One argument of a function call in the page: a JSON value, or the CDP object id of an object in the same world. */
type CallArgument = { readonly value: unknown } | { readonly objectId: string };

interface EvaluationResult {
  readonly result: { readonly value?: unknown; readonly objectId?: string };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string };
  };
}

/** Runs scripts in the isolated world of one document, for the duration of one operation. */
export class IsolatedWorld {
  readonly channel: CdpChannel;
  /** The execution contexts of all frames in the same CDP target. */
  readonly worlds: FrameWorlds;
  readonly context: IsolatedContext;
  readonly url: string;
  readonly deadline: Deadline;

  constructor(
    { channel, worlds }: { readonly channel: CdpChannel; readonly worlds: FrameWorlds },
    context: IsolatedContext,
    url: string,
    deadline: Deadline,
    children: () => Promise<readonly IsolatedWorld[]>,
  ) {
    this.channel = channel;
    this.worlds = worlds;
    this.context = context;
    this.url = url;
    this.deadline = deadline;
    this.children = children;
  }

  /** Promises are awaited. @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED; Error when the expression throws or the document is gone */
  async evaluate<T extends Json | undefined>(expression: string): Promise<T> {
    const answer = await this.channel.send(
      'Runtime.evaluate',
      { expression, contextId: this.context.contextId, returnByValue: true, awaitPromise: true },
      this.deadline,
    );
    return unwrapValue<T>(answer);
  }

  /** @example await world.call<number>('(a, b) => a + b', 1, 2) */
  call<T extends Json | undefined>(functionSource: string, ...args: Json[]): Promise<T> {
    return this.callWith<T>(functionSource, toArguments(args));
  }

  /** Calls a function as `call` does; its arguments can also be CDP object ids of objects in this world. */
  async callWith<T>(functionSource: string, args: readonly CallArgument[], userGesture = false): Promise<T> {
    const result = await this.channel.send(
      'Runtime.callFunctionOn',
      {
        functionDeclaration: functionSource,
        executionContextId: this.context.contextId,
        arguments: [...args],
        returnByValue: true,
        awaitPromise: true,
        userGesture,
      },
      this.deadline,
    );
    return unwrapValue<T>(result);
  }

  /** Calls a method of the injected agent, which must be installed already. Awaits promises. One round trip. */
  callAgent<K extends keyof PageAgent>(
    method: K,
    ...args: Parameters<PageAgent[K]>
  ): Promise<Awaited<ReturnType<PageAgent[K]>>> {
    return this.callWith(agentFunction(method), toArguments(args));
  }

  /** Calls a method of the injected agent with a user gesture, which browsers require for sound and full screen. */
  callAgentWithUserGesture<K extends keyof PageAgent>(
    method: K,
    ...args: Parameters<PageAgent[K]>
  ): Promise<Awaited<ReturnType<PageAgent[K]>>> {
    return this.callWith(agentFunction(method), toArguments(args), true);
  }

  /** Calls `PageAgent.observe` with the CDP ids of owners of listeners, then of closed shadow roots. Returns JSON of a `CompactFrameObservation`. */
  observeWith(options: ObserveOptions, handles: readonly string[]): Promise<string> {
    const nodes = handles.map(objectId => ({ objectId }));
    return this.callWith(agentFunction('observe'), [{ value: options }, ...nodes]);
  }

  /** Calls a method of the injected agent that returns an element: its CDP object id, null for none. */
  async agentHandle(
    method: 'element' | 'closedHost' | 'statedHost' | 'frameElement',
    index: number,
  ): Promise<string | null> {
    const result = await this.channel.send(
      'Runtime.callFunctionOn',
      {
        functionDeclaration: agentFunction(method),
        executionContextId: this.context.contextId,
        arguments: [{ value: index }],
        objectGroup: 'pagespace',
      },
      this.deadline,
    );
    unwrapValue(result);
    return result.result.objectId ?? null;
  }

  /** Evaluates an expression and returns the CDP object id of its value; null when the value is null or not an object. */
  async evaluateHandle(expression: string): Promise<string | null> {
    const answer = await this.channel.send(
      'Runtime.evaluate',
      { expression, contextId: this.context.contextId, objectGroup: 'pagespace' },
      this.deadline,
    );
    unwrapValue(answer);
    return answer.result.objectId ?? null;
  }

  /** One round trip; two if the document does not keep the script ready: then returns false. */
  async install(name: InstalledScriptName): Promise<boolean> {
    const { installed } = this.context;
    if (installed.has(name)) return true;
    const wasReady = await this.evaluate<boolean>(runReadyScript(name));
    if (!wasReady) await this.evaluate(injectedScript(name));
    installed.add(name);
    return wasReady;
  }

  /** Installs a script and makes a call that needs it: in one round trip if the document keeps the script ready. */
  async installAndCall<T>(name: InstalledScriptName, call: () => Promise<T>): Promise<T> {
    const installing = this.install(name);
    // It is sent after the script, without waiting for it. Without the script it fails.
    const early = call();
    early.catch(() => {});
    return (await installing) ? early : call();
  }

  /** Returns the isolated worlds of the document's child frames, in the same process or in others, in no particular order. */
  readonly children: () => Promise<readonly IsolatedWorld[]>;
}

const AGENT = 'globalThis.__pagespace';

export const agentFunction = (method: keyof PageAgent): string => `(...args) => ${AGENT}.${method}(...args)`;

const toArguments = (values: readonly unknown[]): CallArgument[] => values.map(value => ({ value }));

function unwrapValue<T>(answer: EvaluationResult): T {
  const failed = answer.exceptionDetails;
  if (failed !== undefined) throw new Error(`In the page: ${failed.exception?.description ?? failed.text}`);
  return answer.result.value as T;
}

export interface FrameTree {
  readonly frame: { readonly id: string; readonly parentId?: string; readonly url: string };
  readonly childFrames?: readonly FrameTree[];
}

/**
 * Returns the frames of a CDP target as a tree. Null if they are nested so deeply (about 150 frames) that Chromium cannot write them
 * as JSON: no page that people read does so.
 * @throws Failure of the deadline; Playwright's error when the target is gone
 */
export async function frameTree(channel: CdpChannel, deadline: Deadline): Promise<FrameTree | null> {
  try {
    return (await channel.send('Page.getFrameTree', undefined, deadline)).frameTree;
  } catch (error) {
    if (isNestedTooDeeply(error)) return null;
    throw error;
  }
}

/**
 * Returns the CDP object id of `document` in the page's own world; null if Chromium returns none. One round trip for the first call in
 * a document, else none. A page cannot override the global `document`.
 * @throws Failure of `deadlineFailure`; Playwright's error when the document is gone
 */
export async function documentHandle(
  channel: CdpChannel,
  page: MainWorldContext,
  deadline: Deadline,
): Promise<string | null> {
  if (page.documentHandle !== null) return page.documentHandle;
  const params = { expression: 'document', contextId: page.contextId };
  const { result } = await channel.send('Runtime.evaluate', params, deadline);
  page.documentHandle = result.objectId ?? null;
  return page.documentHandle;
}

/** The execution context of the isolated world of one document in a frame: the service's scripts run in it. */
export interface IsolatedContext {
  /** Chromium's id of the execution context; valid only while the document exists. */
  readonly contextId: number;
  /** An id that Chromium never uses again, so that it identifies the document. */
  readonly uniqueId: string;
  readonly frameId: string;
  /** The scripts that the document has; `IsolatedWorld.install` adds them. */
  readonly installed: Set<InstalledScriptName>;
}

export interface MainWorldContext {
  readonly contextId: number;
  readonly uniqueId: string;
  /** CDP object id of `document` in this context; null until code requests it for the first time. */
  documentHandle: string | null;
  /** CDP object id of what holds the recorder of the document's work; null until code asks for it. */
  recorder: Promise<string> | null;
  /** True if the document's scripts have broken the recorder: it is not used again. */
  refusesTaskRecorder: boolean;
}

export class FrameWorlds {
  readonly #isolatedWorlds = new Map<string, IsolatedContext>();
  readonly #mainWorlds = new Map<string, MainWorldContext>();
  /** Name of the isolated worlds; null before the first one exists. */
  worldName: string | null = null;
  readonly #waiters = new Map<string, Set<() => void>>();

  /** The caller must send `Runtime.enable` afterwards. */
  constructor(session: CDPSession) {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const data = context.auxData as { frameId?: string; type?: string } | undefined;
      if (data?.type === 'default' && data.frameId !== undefined)
        this.#mainWorlds.set(data.frameId, {
          contextId: context.id,
          uniqueId: context.uniqueId,
          documentHandle: null,
          recorder: null,
          refusesTaskRecorder: false,
        });
      if (
        data?.type !== 'isolated' ||
        data.frameId === undefined ||
        !context.name.startsWith(UTILITY_WORLD_PREFIX)
      )
        return;
      const { frameId } = data;
      this.worldName = context.name;
      const { id: contextId, uniqueId } = context;
      this.#isolatedWorlds.set(frameId, { contextId, uniqueId, frameId, installed: new Set() });
      for (const wake of this.#waiters.get(frameId) ?? []) wake();
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) => {
      for (const [frameId, known] of this.#isolatedWorlds)
        if (known.uniqueId === executionContextUniqueId) this.#isolatedWorlds.delete(frameId);
      for (const [frameId, known] of this.#mainWorlds)
        if (known.uniqueId === executionContextUniqueId) this.#mainWorlds.delete(frameId);
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.#isolatedWorlds.clear();
      this.#mainWorlds.clear();
    });
  }

  /** Null if the frame is not in this target or has no document now. */
  find(frameId: string): IsolatedContext | null {
    return this.#isolatedWorlds.get(frameId) ?? null;
  }

  frameIds(): readonly string[] {
    return [...this.#mainWorlds.keys()];
  }

  /** Null while the frame has no document. */
  mainWorldContext(frameId: string): MainWorldContext | null {
    return this.#mainWorlds.get(frameId) ?? null;
  }

  /** Returns the isolated world of a frame. Waits for it during a navigation. @throws Failure of `deadlineFailure` */
  async waitFor(frameId: string, deadline: Deadline): Promise<IsolatedContext> {
    for (;;) {
      const known = this.#isolatedWorlds.get(frameId);
      if (known !== undefined) return known;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = this.#waiters.get(frameId) ?? new Set();
      this.#waiters.set(frameId, waiters.add(resolve));
      try {
        await raceDeadline(promise, deadline);
      } finally {
        waiters.delete(resolve);
        if (waiters.size === 0) this.#waiters.delete(frameId);
      }
    }
  }
}

/** Returns the CDP ids of the closed shadow roots of the elements that `hostHandle` returns ids of; skips those that have none or are gone. */
export async function findClosedShadowRoots(
  world: IsolatedWorld,
  count: number,
  hostHandle: (index: number) => Promise<string | null>,
  deadline: Deadline,
): Promise<readonly string[]> {
  const found = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      findClosedShadowRoot(world, () => hostHandle(index), deadline),
    ),
  );
  return found.filter(root => root !== null);
}

/** Passes the closed shadow roots of elements (`host` returns a JavaScript expression for each) to the function `adopt` in the page, if there are any. */
export async function adoptClosedShadowRoots(
  world: IsolatedWorld,
  count: number,
  host: (index: number) => string,
  adopt: string,
): Promise<number> {
  const roots = await findClosedShadowRoots(
    world,
    count,
    index => world.evaluateHandle(host(index)),
    world.deadline,
  );
  if (roots.length === 0) return 0;
  await world.callWith(
    adopt,
    roots.map(objectId => ({ objectId })),
  );
  for (const objectId of roots) world.channel.sendNoReply('Runtime.releaseObject', { objectId });
  return roots.length;
}

async function findClosedShadowRoot(
  world: IsolatedWorld,
  hostHandle: () => Promise<string | null>,
  deadline: Deadline,
): Promise<string | null> {
  try {
    const objectId = await hostHandle();
    if (objectId === null) return null;
    const { node } = await world.channel.send('DOM.describeNode', { objectId }, deadline);
    world.channel.sendNoReply('Runtime.releaseObject', { objectId });
    const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed');
    if (root === undefined) return null;
    const { object } = await world.channel.send(
      'DOM.resolveNode',
      { backendNodeId: root.backendNodeId, executionContextId: world.context.contextId },
      deadline,
    );
    return object.objectId ?? null;
  } catch (error) {
    // The host element has left the document.
    if (deadline.signal.aborted || isTargetGone(error)) throw error;
    return null;
  }
}

/** Roles of the accessibility tree for elements that state none. */
const NO_ROLE = /^(?:[A-Z].*|generic|none|presentation|group|paragraph|unknown)?$/;

/** Returns what an element states; null if it states no role or has left the document. @param handle returns its CDP object id */
export async function readStatedTraits(
  world: IsolatedWorld,
  handle: () => Promise<string | null>,
): Promise<StatedTraits | null> {
  try {
    const objectId = await handle();
    if (objectId === null) return null;
    const { nodes } = await world.channel.send(
      'Accessibility.getPartialAXTree',
      { objectId, fetchRelatives: false },
      world.deadline,
    );
    world.channel.sendNoReply('Runtime.releaseObject', { objectId });
    const [node] = nodes;
    const role = textOf(node?.role?.value);
    if (node === undefined || node.ignored || NO_ROLE.test(role)) return null;
    const stated = new Map(
      (node.properties ?? []).map(({ name, value }) => [String(name), textOf(value.value)]),
    );
    return {
      role,
      name: textOf(node.name?.value),
      value: stated.get('valuetext') || textOf(node.value?.value),
      number: numberOf(textOf(node.value?.value)),
      min: numberOf(stated.get('valuemin')),
      max: numberOf(stated.get('valuemax')),
      checked: truthOf(stated.get('checked') ?? stated.get('pressed')),
      expanded: truthOf(stated.get('expanded')),
      selected: stated.get('selected') === 'true',
      disabled: stated.get('disabled') === 'true',
    };
  } catch (error) {
    // The element has left the document.
    if (world.deadline.signal.aborted || isTargetGone(error)) throw error;
    return null;
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

const numberOf = (text = ''): number | null =>
  text === '' || !Number.isFinite(Number(text)) ? null : Number(text);

const truthOf = (value: string | undefined): boolean | null =>
  value === 'true' ? true : value === 'false' ? false : null;
