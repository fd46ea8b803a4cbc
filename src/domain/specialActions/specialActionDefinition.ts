/** The shape of a special or browser action. The actions are entries of `SPECIAL_ACTION_DEFINITIONS`. */
import type { Action, ActionParam, ParamType } from '../space/action.ts';

/** The state of the browser. It determines which browser actions apply. */
export interface BrowserState {
  /** Largest number of pixels by which the page, or a listed region of it, can still be scrolled down. */
  readonly scrollableDown: number;
  /** Largest number of pixels by which the page, or a listed region of it, can still be scrolled up. */
  readonly scrollableUp: number;
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly active: boolean }[];
  /** The number of files that the open file chooser takes; null if none is open. */
  readonly fileChooser: 'one' | 'several' | null;
  /** Kind of the open dialog; null if none is open. */
  readonly dialog: 'alert' | 'confirm' | 'prompt' | 'beforeunload' | null;
}

/** One special or browser action: how it is listed, described and performed. */
export interface SpecialActionDefinition {
  /** `special`: listed on every page. `browser`: listed only when it applies. */
  readonly kind: 'special' | 'browser';
  /** Name of the action, in JSON and in the event log. */
  readonly name: string;
  /** Name in `space.markdown`, if that is shorter. */
  readonly shortName?: string;
  readonly description: string;
  /** Parameters of the action; absent if it has none. */
  readonly params?: readonly ActionParam[];
  /** Describes the `value` that the caller passes, in Markdown; absent if the action takes none. */
  readonly value?: {
    readonly description: string;
    readonly isRequired: boolean;
    /** The value in a few words, for lists of actions: `id or @x,y`; empty if the name says it. */
    readonly label: string;
    /** More sentences about the value, for the documentation. */
    readonly details?: string;
  };
  /** The condition under which a browser action is listed, in words, for the documentation. */
  readonly listedWhen?: string;
  /** Returns true if the action applies; absent if it always does. While a dialog is open, only actions with `answersDialog` apply. */
  readonly appliesTo?: (state: BrowserState) => boolean;
  /** Returns the fields of the listed action that depend on the state of the browser. They replace the fixed ones. */
  readonly fieldsFor?: (state: BrowserState) => Partial<Pick<Action, 'description' | 'params'>>;
  /** False if the step does not wait until the page has settled. Default true. */
  readonly settles?: boolean;
  /** True if the action answers the open dialog. Every other action first dismisses the dialog. */
  readonly answersDialog?: boolean;
  /** True if the action leaves the page or ends the session, so that the service does not reload a crashed page before it. */
  readonly leavesPage?: boolean;
  /** False if the session needs no observation before the action, because it does nothing with the page. Default true. */
  readonly actsOnPage?: boolean;
  /** Work of the service after the step: scrape the page, take a screenshot or end the session. Absent for none. */
  readonly requests?: 'scrape' | 'screenshot' | 'terminate';
}

/** Returns a parameter of an action. @param values the allowed values; null if any value is allowed */
export const param = (
  name: string,
  type: ParamType = 'string',
  values: readonly string[] | null = null,
): ActionParam => ({ name, type, default: null, values });

/** Describes a value that the caller must pass. @param label the value in a few words, for lists; empty if the name says it */
export const required = (label: string, description: string) => ({ label, description, isRequired: true });

/** Describes a value that the caller can leave out. @param label the value in a few words, for lists; empty if the name says it */
export const optional = (label: string, description: string) => ({ label, description, isRequired: false });
