/**
 * Every use of behaviour that Playwright and Chromium do not document: error texts, log texts, formats of ids, the order
 * in which a browser process is set up. Each has a canary test in `test/browser/cdp`, and `package.json` pins Playwright
 * exactly: run those tests after every update.
 */
import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Readable, Writable } from 'node:stream';

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const ERROR_TEXTS = {
  documentGone: [
    'Cannot find context with specified id',
    'Execution context was destroyed',
    'uniqueContextId not found',
    'Inspected target navigated',
    'Cannot find execution context',
    'Frame was detached',
    'No frame for given id',
    'Argument should belong to the same JavaScript world',
    'Could not find object with given id',
    'Session with given id not found',
  ],
  targetGone: [
    'Target page, context or browser has been closed',
    'Target crashed',
    'Page crashed',
    'Browser closed',
    'Session closed',
    'Connection closed',
    'has been closed',
  ],
  nestedTooDeeply: ['stack limit exceeded'],
  executionTerminated: ['Execution was terminated', 'Internal error'],
  leftView: ['Element is outside of the viewport', 'Element is not visible'],
  downloadStart: ['Download is starting'],
  pageBeingReplaced: ['Not attached to an active page', 'Unable to capture screenshot'],
  navigationInterrupted: ['interrupted by another navigation'],
  navigationFrameGone: ['frame was detached'],
  invalidUrl: ['Cannot navigate to invalid URL'],
  malformedValue: ['Cannot type text into'],
  unknownKey: ['Unknown key'],
  downloadCancelled: ['canceled'],
} as const;

const contains = (kind: keyof typeof ERROR_TEXTS) => {
  const texts = ERROR_TEXTS[kind].map(text => text.toLowerCase());
  return (error: unknown): boolean => {
    const message = messageOf(error).toLowerCase();
    return texts.some(text => message.includes(text));
  };
};

/** Name prefix of Playwright's isolated world, in which `contentScript` selector engines run: the injected agent must be in it too. */
export const UTILITY_WORLD_PREFIX = '__playwright_utility_world';

export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/** True if a call failed because another document replaced the one in which it ran. The caller can read the new document. */
export const isDocumentGone = contains('documentGone');

/** True if a call failed because the page, its process or the browser no longer exists. */
export const isTargetGone = contains('targetGone');

/** True if a call failed because `Runtime.terminateExecution` ended its script in the page. */
export const isExecutionTerminated = contains('executionTerminated');

/** True if a call failed because Chromium cannot write a result that is nested so deeply. */
export const isNestedTooDeeply = contains('nestedTooDeeply');

/** True if a call failed because the page hides a member of the element, as a form does that has an input named `focus`. */
export const isShadowedElement = (error: unknown): boolean =>
  /^(?:locator|frame|page)\.\w+: TypeError/.test(messageOf(error));

/** True for the error of an element that the page moved out of the view, or hid, between the last check and the input. Not for a timeout. */
export const hasLeftView = (error: unknown): boolean => !isTimeout(error) && contains('leftView')(error);

/** True if a navigation failed because its URL is a file to download. */
export const isDownloadStart = contains('downloadStart');

/** True if Chromium shows its error page after this error: not after a response without content or an aborted load. */
export const hasErrorPage = (error: unknown): boolean => /net::ERR_(?!ABORTED)/.test(messageOf(error));

/** Returns Chromium's name of the error, such as `ERR_NAME_NOT_RESOLVED` (net/base/net_error_list.h); null for other errors. */
export const networkErrorOf = (error: unknown): string | null =>
  /net::(ERR_[A-Z0-9_]+)/.exec(messageOf(error))?.[1] ?? null;

export const isPageBeingReplaced = contains('pageBeingReplaced');

export const isNavigationInterrupted = contains('navigationInterrupted');

export const isNavigationFrameGone = contains('navigationFrameGone');

export const isInvalidUrl = contains('invalidUrl');

export const isMalformedValue = contains('malformedValue');

export const isUnknownKey = contains('unknownKey');

export const isDownloadCancelled = contains('downloadCancelled');

/** True if `download.saveAs` failed because the disk or the quota of the file system is full. */
export const isDiskFull = (error: unknown): boolean => /\b(?:ENOSPC|EDQUOT|EFBIG)\b/.test(messageOf(error));

/** Why an element did not become ready for an action; `other` when Playwright's log gives no such reason. */
export type NotReadyReason = 'covered' | 'moving' | 'invisible' | 'disabled' | 'outside' | 'other';

const NOT_READY_LINES: readonly (readonly [NotReadyReason, RegExp])[] = [
  ['covered', /intercepts pointer events/g],
  ['moving', /element is not stable/g],
  ['invisible', /element is not visible/g],
  ['disabled', /element is not enabled/g],
  ['outside', /element is outside of the viewport/g],
];

/** Matches the line of Playwright's log before it sends input to the page. */
const DISPATCH_LINE = /performing (?:click|dblclick|check|uncheck|hover) action/g;

/** Returns Playwright's log, which the message of a TimeoutError contains, from the last input that was sent; all of it if none was. */
function logSinceInput(error: unknown): { readonly log: string; readonly hasInput: boolean } {
  const log = messageOf(error);
  const last = [...log.matchAll(DISPATCH_LINE)].at(-1);
  return { log: log.slice(last?.index ?? 0), hasInput: last !== undefined };
}

/** Returns the last reason in Playwright's log. Those before an input was sent do not count: the element was ready then. */
export function notReadyReasonOf(error: unknown): NotReadyReason {
  const { log } = logSinceInput(error);
  const found = NOT_READY_LINES.flatMap(([reason, pattern]) =>
    [...log.matchAll(pattern)].map(({ index }) => ({ reason, index })),
  );
  return found.toSorted((one, other) => one.index - other.index).at(-1)?.reason ?? 'other';
}

/** The HTML tag of the (outermost) element that covers the target of a click, from Playwright's log in the message; null without one. */
export function coveringTagOf(error: unknown): string | null {
  const [line = ''] = /^.* intercepts pointer events/m.exec(messageOf(error)) ?? [];
  return (/ from (<[a-z][^>]{0,400}>)/.exec(line) ?? /(?:^|\s)(<[a-z][^>]{0,400}>)/.exec(line))?.[1] ?? null;
}

/** True if an action timed out after Playwright had sent its input to the page: the page is too busy to confirm the input. */
export const isInputDispatched = (error: unknown): boolean =>
  logSinceInput(error).hasInput && notReadyReasonOf(error) === 'other';

/**
 * Minimum timeout of a Playwright call, in milliseconds. Playwright skips the pauses between its tries that are longer
 * than a fifth of the timeout: below 100 ms no pause is left, and with a crashed page it would retry forever without
 * releasing the thread.
 */
export const MIN_PLAYWRIGHT_TIMEOUT_MS = 500;

/** Matches Chromium's log message about a URL that it refuses to open from a page; captures the URL. Pages cannot write to this log. */
const REFUSAL_MESSAGE = /^Not allowed to (?:load local resource|navigate (?:top frame )?to \w+ URL): (\S+)$/;

/** Returns the URL that Chromium refused to open from a page, from the text of `Log.entryAdded`; null for other entries. */
export const refusedUrlOf = (logText: string): string | null => REFUSAL_MESSAGE.exec(logText)?.[1] ?? null;

/** True if a handler of `beforeunload` has asked for a dialog, which Chromium does not open. Pages cannot write to this log. */
export const isDialogBlocked = (logText: string): boolean =>
  logText.startsWith('Blocked ') && logText.endsWith(' during beforeunload.');

/** Renderers generate ids of their process id, a dot and a number (Blink's IdentifiersFactory); null for an id of another process. */
export function rendererPidOf(id: string): number | null {
  const pid = /^(\d{1,10})\.\d+$/.exec(id)?.[1];
  return pid === undefined ? null : Number(pid);
}

/** True if a network event belongs to the request of a document: then its request id is the id of the document (`loaderId`). */
export const isDocumentRequest = (event: {
  readonly requestId: string;
  readonly loaderId: string;
}): boolean => event.requestId === event.loaderId;

/** Chromium's page that lists the blobs of a browser context. Pages and callers cannot open it. */
export const BLOB_INTERNALS_URL = 'chrome://blob-internals/';

/** Returns the length in bytes of the blob that one line of BLOB_INTERNALS_URL lists; 0 if the line contains no length. */
export const blobBytesOf = (line: string): number =>
  Number((/^Length: ([\d,]+)$/.exec(line)?.[1] ?? '0').replaceAll(',', ''));

/** Returns the lines that Chromium wrote to its standard error, without colours, from the message of a failed launch. */
export const chromiumOutputOf = (launchError: string): string[] =>
  [...launchError.matchAll(/^\s*- \[pid=\d+\]\[err\] (.+)$/gm)].map(([, line = '']) => line);

/** True if the message of a failed launch says that Chromium's sandbox cannot run. */
export const isSandboxUnavailable = (launchError: string): boolean =>
  /No usable sandbox|Running as root without --no-sandbox|sys_chroot/.test(launchError);

/**
 * An editing command for `Input.dispatchKeyEvent` that changes nothing without an argument. Chromium performs it instead
 * of the edit that the key would cause; the page still receives the key. Its canary is `test/browser/act/values/clipboard.test.ts`.
 */
export const NO_EDIT_COMMAND = 'DefaultParagraphSeparator';

/** A default argument of Playwright: it turns off Chromium's limit of 200 URL changes of a page in ten seconds. */
export const IPC_FLOODING_ARGUMENT = '--disable-ipc-flooding-protection';

/** Matches the start of a CDP event on the browser's pipe; captures its method. */
export const EVENT_HEAD = /^\{"method":"([\w.]+)"/;

/** Matches the start of a CDP response on the browser's pipe; captures the id of its call. */
export const RESPONSE_HEAD = /^\{"id":(\d+)/;

/** Matches the end of a CDP message on the browser's pipe; captures its session id. A page cannot imitate it: JSON escapes its quotes. */
export const SESSION_TAIL = /,"sessionId":"([0-9A-F]+)"\}\0$/;

/** Node publishes every new child process on this diagnostics channel, before it starts the process. */
const CHILD_PROCESSES = 'child_process';
/** The file descriptor to which a browser writes when Playwright controls it over pipes; it reads from the one before. */
const OUTPUT_FD = 4;

/**
 * Inserts a stream between the pipe of a browser and Playwright, which reads `stdio[4]` of the process that it starts, and writes `stdio[3]`.
 * @param markerFlag an argument that only this process has
 * @param insert receives both pipes; returns the stream that Playwright reads instead. Not called when the process has no pipes
 * @returns dispose it after the launch: processes that start later are not intercepted
 */
export function interceptBrowserPipe(
  markerFlag: string,
  insert: (output: Readable, input: Writable) => Readable,
): Disposable {
  const onProcessStart = (message: unknown): void => {
    const child = (message as { readonly process?: unknown }).process;
    if (!(child instanceof ChildProcess)) return;
    // The pipes exist when the call that starts the process returns, and Playwright reads them later.
    queueMicrotask(() => {
      // If no file descriptor is free, the process has no pipes at all, although Node's types say that it has.
      const [, , , input, output] = (child.stdio as ChildProcess['stdio'] | undefined) ?? [];
      if (child.spawnargs?.includes(markerFlag) !== true) return;
      if (!(output instanceof Readable && input instanceof Writable)) return;
      child.stdio[OUTPUT_FD] = insert(output, input);
    });
  };
  subscribe(CHILD_PROCESSES, onProcessStart);
  return { [Symbol.dispose]: () => unsubscribe(CHILD_PROCESSES, onProcessStart) };
}
