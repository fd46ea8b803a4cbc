import type { StepRequest } from '../../../domain/ports/browserHost.ts';
import type { SpecialActionId } from '../../../domain/specialActions/specialActionDefinitions.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { Tab } from '../../tab/tab.ts';
import type { TabSet } from '../../tab/tabSet.ts';
import type { ResolveElement } from '../element/elementContext.ts';
import type { StepContext } from '../stepContext.ts';
import type { EffectCheck } from '../values/effectCheck.ts';

/** Argument of the function that performs a special action. */
export interface SpecialActionContext
  extends Pick<StepContext, 'deadline' | 'navigationTimeoutMs' | 'goto' | 'uploadPath' | 'waitFor'> {
  readonly id: SpecialActionId;
  /** The active tab. */
  readonly tab: Tab;
  readonly tabs: TabSet;
  readonly command: StepRequest;
  /** The isolated world of the top document. */
  topWorld(): Promise<IsolatedWorld>;
  /** Returns true if the page has no timer of the step left; also if that is not known. */
  readonly isIdle: () => Promise<boolean>;
  /** Says that the action is going to type a text into what has the focus, which may be a secret field. */
  readonly beginTyping: (text: string) => Promise<void>;
  /** Adds a check of the effect of the action, which runs when the page has settled. */
  readonly addEffectCheck: (check: EffectCheck) => void;
  /** Finds the element for an id that the value contains. Does not fail for a disabled element. */
  readonly resolveElement: ResolveElement;
}

/**
 * A function that performs one special action.
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and the failures of `BrowserLease.goto` and `resolveElement`
 * @throws Interrupted when a dialog opens, or the page crashes or closes
 */
export type PerformSpecialAction = (context: SpecialActionContext) => Promise<void>;
