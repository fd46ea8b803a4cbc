/** The take-over of a session by the reader: its begin, the connection that keeps it, its input and its end. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { holdId } from '../connection/access.ts';
import { RequestFailure, request } from '../connection/http.ts';
import { useSubscription } from '../connection/useResource.ts';
import { notify, notifyFailure } from '../parts/notices.tsx';
import { InputSender, type OpenPicker } from './inputSender.ts';
import type { SessionData } from './useSession.ts';

export interface TakeOverState {
  readonly isMine: boolean;
  /** True while somebody else has it: then nothing can be performed. */
  readonly isOthers: boolean;
  /** Sends input; null while the reader does not have the session. */
  readonly sender: InputSender | null;
  /** The picker that the page has opened, which is on no picture; null for none. */
  readonly picker: OpenPicker | null;
  /** Answers the picker with one of its options, by its number, or with a value; with neither, it is closed. */
  readonly choose: (answer: { readonly option?: number; readonly text?: string }) => void;
  readonly begin: (name: string) => Promise<void>;
  readonly end: () => Promise<void>;
}

const NAME_KEY = 'pagespace.name';

/** The name that the reader gave at the last take-over; empty for none. */
export const lastName = (): string => localStorage.getItem(NAME_KEY) ?? '';

export function useTakeOver({
  id: sessionId,
  status,
  takeOver,
}: Pick<SessionData, 'id' | 'status' | 'takeOver'>): TakeOverState {
  const storageKey = `pagespace.hold.${sessionId}`;
  const [hold, setHold] = useState<string | null>(() => sessionStorage.getItem(storageKey));
  const [picker, setPicker] = useState<OpenPicker | null>(null);
  const keep = (next: string | null) => {
    if (next === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, next);
    // At once: the next request of the reader names it.
    holdId.value = next;
    setHold(next);
  };
  useEffect(() => {
    holdId.value = hold;
    return () => {
      holdId.value = null;
    };
  }, [hold]);

  // What is refused while the session is handed back is no loss.
  const isEnding = useRef(false);
  const lose = (error: unknown) => {
    if (isEnding.current) return;
    keep(null);
    notifyFailure(error);
  };
  useSubscription(
    'DashHold',
    hold === null || status !== 'ACTIVE' ? null : hold,
    () => ({ sessionId, holdId: hold ?? '' }),
    {
      onNext: () => {},
      onError: lose,
    },
  );
  const latest = useRef(lose);
  latest.current = lose;
  const sender = useMemo(
    () =>
      hold === null
        ? null
        : new InputSender(sessionId, hold, {
            onCopied: text => {
              navigator.clipboard.writeText(text).catch(() => notify('The browser did not allow the copy.'));
            },
            onPicker: next =>
              setPicker(before => (JSON.stringify(before) === JSON.stringify(next) ? before : next)),
            onFailure: error => {
              if (error instanceof RequestFailure && error.code === 'TAKE_OVER_ENDED') latest.current(error);
              else notifyFailure(error);
            },
          }),
    [sessionId, hold],
  );
  useEffect(() => () => sender?.close(), [sender]);

  const isHeld = takeOver?.status === 'HELD';
  const isMine = hold !== null && status === 'ACTIVE' && isHeld;

  return {
    isMine,
    isOthers: isHeld && hold === null,
    sender: isMine ? sender : null,
    picker: isMine ? picker : null,
    choose: answer => {
      setPicker(null);
      sender?.send({ type: 'CHOOSE', ...answer });
    },
    begin: async name => {
      try {
        localStorage.setItem(NAME_KEY, name);
        const { takeOver: begun } = await request('DashTakeOver', { input: { sessionId, name } });
        keep(begun.holdId);
      } catch (error) {
        notifyFailure(error);
      }
    },
    end: async () => {
      isEnding.current = true;
      try {
        await request('DashHandBack', { input: { sessionId, holdId: hold } });
        keep(null);
      } catch (error) {
        notifyFailure(error);
      } finally {
        isEnding.current = false;
      }
    },
  };
}
