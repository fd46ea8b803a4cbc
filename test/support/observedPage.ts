/** Observes a page's top document through CDP alone: listener owners joined to the observer in an isolated world. */
import { type Browser, type CDPSession, chromium, type Page } from 'playwright';
import { injectedScript } from '../../src/browser/cdp/injectedScript.ts';
import {
  type CompactFrameObservation,
  fromCompact,
} from '../../src/browser/injected/perceive/compactWire.ts';
import type {
  ElementResolution,
  FrameObservation,
  ObservedElement,
} from '../../src/browser/injected/perceive/wireFormat.ts';
import { findChromium } from '../../src/browser/launch/findChromium.ts';

export async function launchChromium(): Promise<Browser> {
  const found = findChromium(process.env.CHROMIUM_PATH);
  if (found === null) throw new Error('No Chromium is installed.');
  return chromium.launch({ executablePath: found.path, chromiumSandbox: false });
}

/** A page with the observer in its top document. A navigation starts anew by itself. */
export class ObservedPage {
  readonly page: Page;
  readonly #session: CDPSession;
  #contextId: number | null = null;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  static async open(browser: Browser, url: string): Promise<ObservedPage> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(url);
    return new ObservedPage(page, await page.context().newCDPSession(page));
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
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
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      executionContextId: contextId,
      functionDeclaration: '(...args) => globalThis.__pagespace.observe(...args)',
      arguments: [{ value: options }, ...owners.map(({ objectId }) => ({ objectId }))],
      returnByValue: true,
    });
    if (answer.exceptionDetails !== undefined)
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return fromCompact(JSON.parse(answer.result.value as string) as CompactFrameObservation);
  }

  /** The descriptions, in order. */
  async lines(): Promise<string[]> {
    return (await this.observe()).elements.map(({ description }) => description);
  }

  /** The one element whose description contains these words. */
  async find(words: string): Promise<ObservedElement> {
    const { elements } = await this.observe();
    const found = elements.filter(({ description }) => description.includes(words));
    const [only] = found;
    if (found.length !== 1 || only === undefined)
      throw new Error(
        `${found.length} elements match ${words}:\n${elements.map(e => e.description).join('\n')}`,
      );
    return only;
  }

  resolve(key: number): Promise<ElementResolution> {
    return this.evaluate<ElementResolution>(`__pagespace.resolve(${key})`);
  }

  /** Evaluates in the observer's world. */
  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.#session.send('Runtime.evaluate', {
      contextId: await this.#world(),
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (answer.exceptionDetails !== undefined)
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value as T;
  }

  /** Reads an attribute of every listed element, in the list's order. */
  async attributes(name: string): Promise<(string | null)[]> {
    const { elements } = await this.observe();
    const keys = elements.map(({ key }) => key);
    return this.evaluate(
      `${JSON.stringify(keys)}.map(key => Element.prototype.getAttribute.call(__pagespace.element(key), ${JSON.stringify(name)}))`,
    );
  }

  async #listeners() {
    // The isolated world's own document would poison that world: the browser dies soon after.
    const document = await this.#session.send('Runtime.evaluate', { expression: 'document' });
    const objectId = document.result.objectId ?? '';
    const asked = { objectId, depth: -1, pierce: true };
    return (await this.#session.send('DOMDebugger.getEventListeners', asked)).listeners;
  }

  /** The observer's world in the present document; made anew after a navigation. */
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
        expression: injectedScript('perceive'),
      });
    this.#contextId = executionContextId;
    return executionContextId;
  }

  async #isInstalled(contextId: number): Promise<boolean> {
    const answer = await this.#session
      .send('Runtime.evaluate', { contextId, expression: "'__pagespace' in globalThis", returnByValue: true })
      .catch(() => null);
    return answer?.result.value === true;
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
