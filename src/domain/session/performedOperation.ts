/** The part of an event that tells about its operation: the caller, the time it took, its input and its outcome. */

import type { Action } from '../space/action.ts';
import { cutText } from '../space/pageText.ts';
import type { ObservedActions } from '../space/spaceDiff.ts';
import { GESTURE_DEFINITIONS } from '../specialActions/specialActionDefinition.ts';
import { findSpecialAction } from '../specialActions/specialActions.ts';
import { stripCredentials } from '../webAddress.ts';

export const CALLER_KINDS = ['agent', 'person', 'mcp', 'cli'] as const;
/** The kind of a caller: a program, a person in a browser, an MCP host, or the command line. */
export type CallerKind = (typeof CALLER_KINDS)[number];

/** The caller that requested an operation: the API key, and the kind of program that used it. */
export interface Caller {
  /** Id of the API key, as in the ledger. */
  readonly keyId: string;
  /** Name of the key at that time; null for a caller without a key. */
  readonly keyName: string | null;
  readonly kind: CallerKind;
}

export const OPERATION_PARTS = ['queue', 'navigation', 'action', 'settling', 'reading'] as const;
export type OperationPart = (typeof OPERATION_PARTS)[number];

/** Duration of each part of an operation, in milliseconds; a part that did not happen has no entry. Parts do not overlap, and need not add up to the whole. */
export type OperationTiming = Readonly<Partial<Record<OperationPart, number>>>;

/** An element as it was listed. Absent fields: none. */
export interface PerformedTarget {
  readonly actionId?: string;
  readonly role?: string;
  readonly name?: string;
  readonly frame?: string;
  readonly fingerprint?: string;
  /** The number of elements before this one in the list that have its role, name and frame; absent for 0. */
  readonly nth?: number;
}

/** The input of an operation: the address that it opened, or the action that it performed with its element. */
export interface PerformedInput extends PerformedTarget {
  /** The address that the operation opened; absent for none. */
  readonly url?: string;
  readonly gesture?: string;
  /** The elements that the value or the parameters of a gesture name, in their order; absent for none. */
  readonly targets?: readonly PerformedTarget[];
  /** The value, in which secrets are masked; absent for none. */
  readonly value?: string;
  readonly enter?: boolean;
  /** The parameters of a special action, in which secrets are masked; absent for none. */
  readonly params?: Readonly<Record<string, string>>;
}

export interface PerformedOutcome {
  readonly observationId?: string;
  /** Id of the observation before; absent for none. The difference of the two is what the operation changed. */
  readonly earlierObservationId?: string;
  /** Number of the picture in the record; absent for none. */
  readonly picture?: number;
  readonly url?: string;
  readonly title?: string;
  /** New messages of the page and notes of the service, at most 20. */
  readonly messages?: readonly { readonly kind: string; readonly text: string }[];
  readonly downloads?: readonly string[];
  /** Errors in the console, in one line; absent for none. */
  readonly console?: string;
}

export interface PerformedOperation {
  /** UUID of the operation: the reference of its row in the ledger. */
  readonly id: string;
  readonly caller: Caller;
  /** Time from the request to the end of the operation, the wait in the queue included. */
  readonly durationMs: number;
  readonly timing: OperationTiming;
  readonly input: PerformedInput;
  readonly outcome: PerformedOutcome;
}

/** The number in the id of an observation: `O3` → 3; null for another text. */
export function observationNumber(id: string): number | null {
  const digits = /^o([1-9]\d{0,8})$/i.exec(id.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Maximum length of a value or an address in an event, in UTF-16 units. */
export const MAX_EVENT_TEXT = 10_000;

/** Returns a value that a caller has entered as its event has it; an address is without user name and password. */
const eventText = (value: string): string => cutText(stripCredentials(value), MAX_EVENT_TEXT);

interface StepInput {
  readonly actionId: string;
  readonly value: string | null;
  readonly enter: boolean;
  readonly params: Readonly<Record<string, string>>;
}

const TYPE_TEXT = 'S23';
/** Matches the ids of elements in the value of a gesture; not what stands in quotes, which are words of the page. */
const ELEMENT_ID = /"[^"]*"|\b[LBI]\d+\b/gi;
/** Maximum number of elements that an event tells of a gesture: an upload dropped onto an element names two. */
const MAX_TARGETS = 10;

/** Returns what the event tells of the input of a step: the elements as they were listed, and the value. */
export function toStepInput(
  { actionId, value, enter, params }: StepInput,
  observed: ObservedActions | null,
): PerformedInput {
  const actions = observed?.actions ?? [];
  const isListed = actions.some(({ id }) => id === actionId);
  const definition = findSpecialAction(actionId);
  const isGesture = actionId in GESTURE_DEFINITIONS && actionId !== TYPE_TEXT;
  // The value is not validated yet: it may be of any length.
  const texts = isGesture ? [value ?? '', ...Object.values(params)] : [];
  const named = texts.flatMap(text => text.slice(0, MAX_EVENT_TEXT).match(ELEMENT_ID) ?? []);
  const ids = new Set(named.filter(id => !id.startsWith('"')).map(id => id.toUpperCase()));
  const targets = [...ids].slice(0, MAX_TARGETS).map(id => toTarget(id, actions));
  return {
    ...toTarget(actionId, actions),
    ...(definition !== null && { gesture: definition.name }),
    ...(targets.length > 0 && { targets }),
    // A value for an element that is not listed may be a secret.
    ...(value !== null && (isListed || definition !== null) && { value: eventText(value) }),
    ...(enter && { enter }),
    ...(Object.keys(params).length > 0 && {
      params: Object.fromEntries(Object.entries(params).map(([name, text]) => [name, eventText(text)])),
    }),
  };
}

function toTarget(actionId: string, actions: readonly Action[]): PerformedTarget {
  const index = actions.findIndex(({ id }) => id === actionId);
  const action = actions[index];
  if (action === undefined) return { actionId };
  const { role, name, frame, fingerprint } = action;
  const nth = actions
    .slice(0, index)
    .filter(each => each.role === role && each.name === name && each.frame === frame).length;
  return {
    actionId,
    ...(role !== null && { role }),
    ...(name !== null && { name }),
    ...(frame !== null && { frame }),
    ...(fingerprint !== '' && { fingerprint }),
    ...(nth > 0 && { nth }),
  };
}
