/** Playwright locators for listed elements. */
import { type Locator, selectors } from 'playwright';
import type { ListedElement } from '../perceive/elementRegistry.ts';
import type { Tab } from '../tab/tab.ts';

/** Name of the selector engine; `findBySelector` of the injected agent describes its selectors. */
const ENGINE = 'pagespace';

/** Connects Playwright with the injected agent, which is in the same isolated world. */
const ENGINE_SCRIPT = `({
  query: (root, selector) => globalThis.__pagespace?.findBySelector(selector) ?? null,
  queryAll(root, selector) {
    const found = this.query(root, selector);
    return found === null ? [] : [found];
  },
})`;

let registration: Promise<void> | null = null;

/** Registers the selector engine, once per process. Call it before the first page opens. */
export function registerSelectorEngine(): Promise<void> {
  registration ??= selectors.register(ENGINE, ENGINE_SCRIPT, { contentScript: true });
  return registration;
}

/** Returns the locator of a listed element, through the frames around it. */
export const locatorOf = (tab: Tab, listed: ListedElement): Locator =>
  scopeOf(tab, listed).locator(`${ENGINE}=${listed.key}`);

/** Returns the locator of the element's label. */
export const labelLocatorOf = (tab: Tab, listed: ListedElement): Locator =>
  scopeOf(tab, listed).locator(`${ENGINE}=l${listed.key}`);

/** Returns a locator that matches nothing. Evaluating it makes Playwright inject its own script into the document. */
export const emptyLocator = (tab: Tab): Locator => tab.page.locator(`${ENGINE}=0`);

function scopeOf(tab: Tab, listed: ListedElement): Pick<Tab['page'], 'locator'> {
  let scope: Pick<Tab['page'], 'locator'> = tab.page;
  for (const index of listed.framePath) scope = scope.locator(`${ENGINE}=f${index}`).contentFrame();
  return scope;
}
