import type { Observation } from './observation.ts';
import type { StepOptions, StepValue } from './operationOptions.ts';

/** An element: an action of the list or its id, a point of it (`B3@10,20`) or of the page (`@400,300`), or quoted words (`"Report"`). */
export type Target = string | { readonly id: string };

const idOf = (target: Target): string => (typeof target === 'string' ? target : target.id);
const words = (...parts: readonly (string | number | undefined)[]): string =>
  parts.filter(part => part !== undefined).join(' ');

/** The special actions. Each waits until the page has settled, and returns the page after it, as `step` does. */
export abstract class SpecialActions {
  abstract step(action: Target, value?: StepValue | null, options?: StepOptions): Promise<Observation>;

  /** Goes to an address. */
  goto(url: string | URL, options?: StepOptions): Promise<Observation> {
    return this.step('S1', String(url), options);
  }

  /** Goes back one page in the history. */
  back(options?: StepOptions): Promise<Observation> {
    return this.step('S4', null, options);
  }

  /** Goes forward one page in the history. */
  forward(options?: StepOptions): Promise<Observation> {
    return this.step('S5', null, options);
  }

  /** Loads the current page again. */
  reload(options?: StepOptions): Promise<Observation> {
    return this.step('S6', null, options);
  }

  /**
   * Scrolls the page, or a region of it.
   * @param by pixels; default: one page
   * @param region the action of a region that can be scrolled; default: the page
   */
  scroll(
    direction: 'down' | 'up',
    { by, region, ...options }: StepOptions & { readonly by?: number; readonly region?: Target } = {},
  ): Promise<Observation> {
    const value = words(region === undefined ? undefined : idOf(region), by);
    return this.step(direction === 'down' ? 'S9' : 'S10', value === '' ? null : value, options);
  }

  /** Presses a key or a chord: `Enter`, `Control+A`. */
  press(key: string, options?: StepOptions): Promise<Observation> {
    return this.step('S11', key, options);
  }

  /** Types text into whatever has the focus. */
  type(text: string, options?: StepOptions): Promise<Observation> {
    return this.step('S23', text, options);
  }

  /** Moves the mouse over an element. */
  hover(target: Target, options?: StepOptions): Promise<Observation> {
    return this.step('S16', idOf(target), options);
  }

  /** Drags one element onto another. */
  drag(from: Target, to: Target, options?: StepOptions): Promise<Observation> {
    return this.step('S17', `${idOf(from)} -> ${idOf(to)}`, options);
  }

  /** Double-clicks an element. */
  doubleClick(target: Target, options?: StepOptions): Promise<Observation> {
    return this.step('S18', idOf(target), options);
  }

  /** Clicks an element with the right button. */
  rightClick(target: Target, options?: StepOptions): Promise<Observation> {
    return this.step('S19', idOf(target), options);
  }

  /** Makes another tab the active one. @param id `T2`, of `metadata.tabs` */
  switchTab(id: string, options?: StepOptions): Promise<Observation> {
    return this.step('S12', id, options);
  }

  /** Closes the active tab. */
  closeTab(options?: StepOptions): Promise<Observation> {
    return this.step('S13', null, options);
  }

  /** Accepts the open dialog. @param answer the answer to a prompt; default: the one that it proposes */
  acceptDialog(answer: string | null = null, options?: StepOptions): Promise<Observation> {
    return this.step('S14', answer, options);
  }

  /** Dismisses the open dialog. */
  dismissDialog(options?: StepOptions): Promise<Observation> {
    return this.step('S15', null, options);
  }

  /**
   * Waits until a condition is met: `text "Saved"`, `no text "Loading"`, `action "Checkout"`, `no action "Cancel"`, `network quiet`.
   * @throws WaitTimeoutError when it is not met within `waitMs` (default 10,000)
   */
  waitFor(condition: string, options?: StepOptions): Promise<Observation> {
    return this.step('S24', condition, options);
  }
}
