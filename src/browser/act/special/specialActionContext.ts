import { Failure } from '../../../domain/failure/failures.ts';
import type { StepRequest } from '../../../domain/ports/browserHost.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import type { SpecialActionDefinition } from '../../../domain/specialActions/specialActionDefinition.ts';
import {
  SPECIAL_ACTION_DEFINITIONS,
  type SpecialActionId,
} from '../../../domain/specialActions/specialActions.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { Tab } from '../../tab/tab.ts';
import type { TabSet } from '../../tab/tabSet.ts';
import { invalidText, type ResolveElement } from '../element/elementContext.ts';
import type { StepContext } from '../resolveElement.ts';
import type { EffectCheck } from '../values/valueChecks.ts';

/** Returns the parameter `param`, else the `value`. @throws Failure VALIDATION_ERROR when it is missing or blank */
export function requiredValue({ command, id }: SpecialActionContext, param: string): string {
  const value = command.params[param] ?? command.value;
  if (value != null && value.trim() !== '') return value;
  const definition: SpecialActionDefinition = SPECIAL_ACTION_DEFINITIONS[id];
  const what = definition.value?.description ?? 'a value';
  throw new Failure('VALIDATION_ERROR', `${id} needs ${what} in "value".`, {
    errors: [{ path: 'value', message: `is required: ${what}` }],
  });
}

/** Creates VALIDATION_ERROR. @param message what the value does not meet, such as `must be one of T1, T2` */
export const invalidValue = (id: string, message: string, value: string): Failure =>
  invalidText(`${id}: ${message}`, value, message);

/** Returns the paths of uploads, by their ids. @throws Failure VALIDATION_ERROR when the session has no such upload */
export async function uploadPaths(
  { id, uploadPath }: { readonly id: string; readonly uploadPath: SpecialActionContext['uploadPath'] },
  uploadIds: readonly string[],
): Promise<string[]> {
  const paths: string[] = [];
  for (const uploadId of uploadIds) {
    const path = await uploadPath(uploadId.toUpperCase());
    if (path === null)
      throw new Failure('VALIDATION_ERROR', `${id}: this session has no upload "${cutText(uploadId, 50)}".`, {
        errors: [{ path: 'value', message: 'must be ids of uploaded files, such as U1' }],
      });
    paths.push(path);
  }
  return paths;
}

export interface SpecialActionContext
  extends Pick<StepContext, 'deadline' | 'navigationTimeoutMs' | 'goto' | 'uploadPath' | 'waitFor'> {
  readonly id: SpecialActionId;
  readonly tab: Tab;
  readonly tabs: TabSet;
  readonly command: StepRequest;
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

/** Performs one special action. @throws Failure VALIDATION_ERROR, ACTION_BLOCKED, those of `goto` and `resolveElement`; Interrupted */
export type PerformSpecialAction = (context: SpecialActionContext) => Promise<void>;
