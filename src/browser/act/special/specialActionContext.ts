import type { StepRequest } from '../../../domain/ports/browserHost.ts';
import type { SpecialActionId } from '../../../domain/specialActionDefinitions.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { Tab } from '../../tab/tab.ts';
import type { TabSet } from '../../tab/tabSet.ts';
import type { ResolveElement } from '../elementContext.ts';
import type { StepContext } from '../stepContext.ts';

/** The inputs of a special action. */
export interface SpecialActionContext extends Pick<StepContext, 'deadline' | 'navigationTimeoutMs' | 'goto'> {
  readonly id: SpecialActionId;
  /** The active tab. */
  readonly tab: Tab;
  readonly tabs: TabSet;
  readonly command: StepRequest;
  /** The isolated world of the top document. */
  topWorld(): Promise<IsolatedWorld>;
  /** Finds the element for an id in the value; accepts a disabled element. */
  readonly resolveElement: ResolveElement;
}

/** Performs a special action. @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and those of goto and `resolveElement` */
export type PerformSpecialAction = (context: SpecialActionContext) => Promise<void>;
