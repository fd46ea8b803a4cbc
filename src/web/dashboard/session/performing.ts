import { type Signal, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { request } from '../connection/http.ts';
import { notifyFailure } from '../parts/notices.tsx';

export interface StepValue {
  readonly value?: string | null;
  readonly enter?: boolean;
}

export interface Performing {
  readonly sessionId: string;
  /** The id of the action that is being performed; an address is `S1`. Null for none. */
  readonly running: Signal<string | null>;
  readonly hovered: Signal<string | null>;
  /** The ids of the actions that the search over the list finds; null without a search. */
  readonly found: Signal<ReadonlySet<string> | null>;
  readonly opened: Signal<string | null>;
  readonly step: (actionId: string, value?: StepValue) => Promise<boolean>;
  readonly open: (url: string) => Promise<boolean>;
}

/** The list of a step that a person performs: long, because the agent and this view read the same one. */
const MAX_LIST = { max: 500 };

/** Creates the steps of a session. Failures become messages on the screen. */
export function usePerforming(sessionId: string): Performing {
  return useMemo(() => {
    const running = signal<string | null>(null);
    const perform = async (actionId: string, work: () => Promise<unknown>): Promise<boolean> => {
      if (running.value !== null) return false;
      running.value = actionId;
      try {
        await work();
        return true;
      } catch (error) {
        notifyFailure(error);
        return false;
      } finally {
        running.value = null;
      }
    };
    return {
      sessionId,
      running,
      hovered: signal<string | null>(null),
      found: signal<ReadonlySet<string> | null>(null),
      opened: signal<string | null>(null),
      step: (actionId, { value = null, enter = false } = {}) =>
        perform(actionId, () =>
          request('DashStep', {
            input: {
              sessionId,
              actionId,
              value,
              ...(enter && { enter }),
              diffSince: 'last',
              keepAlive: true,
              actions: MAX_LIST,
            },
          }),
        ),
      open: url =>
        perform('S1', () =>
          request('DashObserve', { input: { sessionId, url, keepAlive: true, actions: MAX_LIST } }),
        ),
    };
  }, [sessionId]);
}
