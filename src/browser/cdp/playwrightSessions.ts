/** Playwright's own CDP sessions, which its interface does not offer. Like `playwrightInternals`, this file depends on what Playwright does not document. */

import type { Browser, BrowserContext, CDPSession, Page, Worker } from 'playwright';
import { ownFailure } from './ownFailures.ts';
import { isTargetGone, messageOf } from './playwrightInternals.ts';

/** Playwright's own end of a CDP session: the one that writes to the browser's pipe. */
export interface PipeSession {
  send(method: string, params?: object): Promise<unknown>;
  on(event: string, listener: (payload: unknown) => void): unknown;
  off(event: string, listener: (payload: unknown) => void): unknown;
}

/** A pipe session's error for a session or a page that is closed has this type, and no message if nothing was sent. */
const GONE_TYPES: readonly unknown[] = ['closed', 'crashed'];

/** Returns Playwright's own end of an object; undefined if it is closed, of which the object itself may not know yet, or in another process. */
export function serverSideOf<ServerSide>(object: object): ServerSide | undefined {
  const { _connection: connection } = object as {
    readonly _connection?: { readonly toImpl?: (object: unknown) => ServerSide | undefined };
  };
  try {
    return connection?.toImpl?.(object);
  } catch {
    // It throws when it has forgotten its own end.
    return undefined;
  }
}

/** Takes over the pipe end of a CDP session, which itself gets only `close` from then on; null if Playwright has none, as in another process. */
export function takePipeSession(session: CDPSession): PipeSession | null {
  interface ServerSide {
    readonly _session?: PipeSession;
    removeAllListeners?(event: string): void;
  }
  const server = serverSideOf<ServerSide>(session);
  if (typeof server?._session?.send !== 'function') return null;
  server.removeAllListeners?.('event');
  return server._session;
}

/**
 * Detaches a CDP session. Playwright's own `detach` also sends `Runtime.runIfWaitingForDebugger`, which makes a page of the same process go on
 * that waits until the window it opens is set up. If the window then opens a dialog, Playwright does not notice it yet, and both pages
 * wait without end.
 */
export async function detachSession(session: CDPSession): Promise<void> {
  interface ServerSide {
    readonly _session?: { readonly _parentSession?: PipeSession; readonly _sessionId?: string };
  }
  const { _parentSession: parent, _sessionId: sessionId } = serverSideOf<ServerSide>(session)?._session ?? {};
  if (parent === undefined || sessionId === undefined) await session.detach();
  else await parent.send('Target.detachFromTarget', { sessionId });
}

/**
 * Returns the parameters of `Emulation.setUserAgentOverride` for the pages of a context; null without a user agent. Each CDP session of a page
 * needs them: after a navigation Chromium takes the platform of the last session, and none from a session that has not set one.
 */
export function userAgentOverrideOf(
  context: BrowserContext,
): { readonly userAgent: string; readonly acceptLanguage?: string } | null {
  const server = serverSideOf<{
    readonly _options?: { readonly userAgent?: string; readonly locale?: string };
  }>(context);
  const { userAgent, locale } = server?._options ?? {};
  if (userAgent === undefined) return null;
  return { userAgent, ...(locale !== undefined && { acceptLanguage: locale }) };
}

/** Returns the error of a pipe session with a message of `ERROR_TEXTS`. */
export function toPipeError(error: unknown): unknown {
  const { type } = Object(error) as { readonly type?: unknown };
  return GONE_TYPES.includes(type) && messageOf(error) === ''
    ? new Error(type === 'closed' ? 'Session closed' : 'Page crashed', { cause: error })
    : error;
}

interface FrameSession {
  readonly _client: PipeSession;
  readonly _workerSessions: ReadonlyMap<string, PipeSession>;
}

interface ServerPage {
  readonly delegate?: {
    readonly _mainFrameSession: FrameSession;
    readonly _sessions?: ReadonlyMap<string, FrameSession>;
  };
}

/**
 * Returns Playwright's sessions of the workers of a page, and of its frames that have a process of their own; none if the page is closed, or
 * if Playwright runs in another process. Shared workers and service workers are not the page's.
 */
export function childSessions(page: Page): readonly PipeSession[] {
  const delegate = serverSideOf<ServerPage>(page)?.delegate;
  return [...(delegate?._sessions?.values() ?? [])].flatMap(session => [
    ...(session === delegate?._mainFrameSession ? [] : [session._client]),
    ...session._workerSessions.values(),
  ]);
}

/**
 * Runs a script in the isolated worlds of a page that have this name: now, and in each later document of the page's process at its start.
 * Only Playwright's session can do that: the domain `Page` is enabled in no other. Does nothing if the page is closed, or if Playwright runs in
 * another process.
 */
export function addWorldScript(page: Page, worldName: string, source: string): void {
  const session = serverSideOf<ServerPage>(page)?.delegate?._mainFrameSession._client;
  const params = { source, worldName, runImmediately: true };
  session?.send('Page.addScriptToEvaluateOnNewDocument', params).catch((error: unknown) => {
    if (!isTargetGone(toPipeError(error)))
      ownFailure('the documents of a page do not keep the scripts ready', error);
  });
}

/** Calls `listener` with each of the `childSessions` of a page that begins from now on, before the frame or the worker runs a script. */
export function onChildSession(page: Page, listener: (session: PipeSession) => void): void {
  const known = new WeakSet<PipeSession>(childSessions(page));
  const onAttached = (): void =>
    void setImmediate(() => {
      for (const child of childSessions(page)) {
        if (known.has(child)) continue;
        known.add(child);
        child.on('Target.attachedToTarget', onAttached);
        listener(child);
      }
    });
  serverSideOf<ServerPage>(page)?.delegate?._mainFrameSession._client.on(
    'Target.attachedToTarget',
    onAttached,
  );
}

/** Calls `listener` with each service worker and shared worker of a context that begins from now on, before it runs a script, and with Playwright's session of it. */
export function onContextWorker(
  context: BrowserContext,
  listener: (worker: Worker, session: PipeSession) => void,
): void {
  context.on('serviceworker', worker => {
    const session = serverSideOf<{ readonly _session?: PipeSession }>(worker)?._session;
    if (session !== undefined) listener(worker, session);
  });
}

const MIRRORING_BROWSERS = new WeakSet<Browser>();

/** Records that the pages of a browser send their page events to every CDP session. */
export function markMirroring(browser: Browser): void {
  MIRRORING_BROWSERS.add(browser);
}

/** Makes a CDP session of a page receive its page events. Takes no round trip in browsers that send them anyway. */
export async function receivePageEvents(page: Page, session: CDPSession): Promise<void> {
  const browser = page.context().browser();
  if (browser === null || !MIRRORING_BROWSERS.has(browser)) await session.send('Page.enable');
}
