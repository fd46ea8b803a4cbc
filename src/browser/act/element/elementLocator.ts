/** Creates Playwright locators for listed elements. */
import { type Locator, selectors } from 'playwright';
import type { Control } from '../../injected/perceive/wireFormat.ts';
import type { ListedElement } from '../../perceive/elementRegistry.ts';
import type { Tab } from '../../tab/tab.ts';

/** Name of the service's selector engine in Playwright. `findBySelector` of the injected agent describes the selectors. */
const ENGINE = 'pagespace';

/** Source of the selector engine. It runs in the isolated world that has the injected agent, and asks the agent for the element. */
const ENGINE_SCRIPT = `({
  query: (root, selector) => globalThis.__pagespace?.findBySelector(selector) ?? null,
  queryAll(root, selector) {
    const found = this.query(root, selector);
    return found === null ? [] : [found];
  },
})`;

/** Controls whose values Playwright sets. */
export const PLAYWRIGHT_CONTROLS: ReadonlySet<Control> = new Set([
  'canvas',
  'number',
  'range',
  'date',
  'time',
  'datetime',
  'month',
  'week',
  'color',
  'select',
  'slider',
  'file',
]);

let registration: Promise<void> | null = null;

/** Registers the service's selector engine with Playwright; later calls do nothing. Call it before the first page opens. */
export function registerSelectorEngine(): Promise<void> {
  registration ??= selectors.register(ENGINE, ENGINE_SCRIPT, { contentScript: true });
  return registration;
}

/** Returns the Playwright locator of a listed element, also of one inside frames. */
export const locatorOf = (tab: Tab, listed: ListedElement): Locator =>
  scopeOf(tab, listed).locator(`${ENGINE}=${listed.key}`);

/** Returns the Playwright locator of the label of a listed element. */
export const labelLocatorOf = (tab: Tab, listed: ListedElement): Locator =>
  scopeOf(tab, listed).locator(`${ENGINE}=l${listed.key}`);

/** Returns a locator that matches nothing. Evaluating it makes Playwright inject its own script into the document. */
export const emptyLocator = (tab: Tab): Locator => tab.page.locator(`${ENGINE}=0`);

function scopeOf(tab: Tab, listed: ListedElement): Pick<Tab['page'], 'locator'> {
  let scope: Pick<Tab['page'], 'locator'> = tab.page;
  for (const index of listed.framePath) scope = scope.locator(`${ENGINE}=f${index}`).contentFrame();
  return scope;
}
