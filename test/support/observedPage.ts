/** Runs the injected script in the top document of a page, over plain CDP and without the service. */
import type { CDPSession, Page } from 'playwright';
import { injectedScript } from '../../src/browser/cdp/isolatedWorld.ts';
import {
  type CompactFrameObservation,
  type ElementResolution,
  type FrameObservation,
  fromCompact,
  type ObservedElement,
} from '../../src/browser/injected/perceive/wireFormat.ts';
import type { SharedBrowser } from './sharedChromium.ts';

const VIEWPORT = { width: 1280, height: 720 };

/** A page with the injected script in its top document; it is injected again after a navigation. */
export class ObservedPage {
  readonly page: Page;
  readonly #session: CDPSession;
  #contextId: number | null = null;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  static async open(browser: SharedBrowser, url: string): Promise<ObservedPage> {
    const page = await browser.newPage({ viewport: VIEWPORT });
    await page.goto(url);
    return new ObservedPage(page, await page.context().newCDPSession(page));
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
  }

  /** Makes the tab ready for another test. */
  async reset(): Promise<void> {
    await this.page.context().clearCookies();
    const { width, height } = this.page.viewportSize() ?? {};
    if (width !== VIEWPORT.width || height !== VIEWPORT.height) await this.page.setViewportSize(VIEWPORT);
    await this.page.goto('about:blank');
  }

  async observe(): Promise<FrameObservation> {
    const [contextId, listeners] = await Promise.all([this.#world(), this.#listeners()]);
    const types = Map.groupBy(
      listeners.filter(({ backendNodeId }) => backendNodeId !== undefined),
      ({ backendNodeId }) => backendNodeId,
    );
    const owners = await Promise.all(
      [...types].map(async ([backendNodeId, rows]) => {
        const resolved = await this.#session
          .send('DOM.resolveNode', { backendNodeId: backendNodeId ?? 0, executionContextId: contextId })
          .catch(() => null);
        const objectId = resolved?.object.objectId;
        return objectId === undefined ? [] : [{ objectId, types: rows.map(({ type }) => type) }];
      }),
    ).then(found => found.flat());
    const options = { listenerTypes: owners.map(owner => owner.types), top: true };
    const response = await this.#session.send('Runtime.callFunctionOn', {
      executionContextId: contextId,
      functionDeclaration: '(...args) => globalThis.__pagespace.observe(...args)',
      arguments: [{ value: options }, ...owners.map(({ objectId }) => ({ objectId }))],
      returnByValue: true,
    });
    const observation = fromCompact(JSON.parse(valueOfResult<string>(response)) as CompactFrameObservation);
    if (observation.skipped !== undefined) throw new Error(observation.skipped.first);
    return observation;
  }

  /** The descriptions of the listed elements, in order. */
  async lines(): Promise<string[]> {
    return (await this.observe()).elements.map(({ description }) => description);
  }

  /** The only element whose description contains `text`. */
  async find(text: string): Promise<ObservedElement> {
    const { elements } = await this.observe();
    const found = elements.filter(({ description }) => description.includes(text));
    const [only] = found;
    if (found.length !== 1 || only === undefined)
      throw new Error(
        `${found.length} elements match ${text}:\n${elements.map(e => e.description).join('\n')}`,
      );
    return only;
  }

  resolve(key: number): Promise<ElementResolution> {
    return this.evaluate<ElementResolution>(`__pagespace.resolve(${key})`);
  }

  /** Evaluates an expression in the world of the injected script. */
  async evaluate<T>(expression: string): Promise<T> {
    const response = await this.#session.send('Runtime.evaluate', {
      contextId: await this.#world(),
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    return valueOfResult<T>(response);
  }

  /** An attribute of each listed element, in the order of the list. */
  async attributes(name: string): Promise<(string | null)[]> {
    const { elements } = await this.observe();
    const keys = elements.map(({ key }) => key);
    return this.evaluate(
      `${JSON.stringify(keys)}.map(key => Element.prototype.getAttribute.call(__pagespace.element(key), ${JSON.stringify(name)}))`,
    );
  }

  async #listeners() {
    // With the `document` of the isolated world, Chromium crashes soon after: see `ListenerCollector`.
    const document = await this.#session.send('Runtime.evaluate', { expression: 'document' });
    const objectId = document.result.objectId ?? '';
    const params = { objectId, depth: -1, pierce: true };
    return (await this.#session.send('DOMDebugger.getEventListeners', params)).listeners;
  }

  /** The isolated world in the current document, with the injected script. */
  async #world(): Promise<number> {
    if (this.#contextId !== null && (await this.#isInstalled(this.#contextId))) return this.#contextId;
    const { frameTree } = await this.#session.send('Page.getFrameTree');
    const { executionContextId } = await this.#session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName: 'observer',
    });
    if (!(await this.#isInstalled(executionContextId)))
      await this.#session.send('Runtime.evaluate', {
        contextId: executionContextId,
        expression: injectedScript('agent'),
      });
    this.#contextId = executionContextId;
    return executionContextId;
  }

  async #isInstalled(contextId: number): Promise<boolean> {
    const response = await this.#session
      .send('Runtime.evaluate', { contextId, expression: "'__pagespace' in globalThis", returnByValue: true })
      .catch(() => null);
    return response?.result.value === true;
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

interface EvaluationResult {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string };
  };
}

function valueOfResult<T>({ result, exceptionDetails }: EvaluationResult): T {
  if (exceptionDetails !== undefined)
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}
