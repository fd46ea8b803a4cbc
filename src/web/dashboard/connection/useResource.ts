import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Operations } from '../generated/operations.ts';
import { errorText, type RequestName, request, type SubscriptionName } from './http.ts';
import { type Receivers, subscribe } from './socket.ts';

/** A result, its failure, or neither while it loads. */
export interface Resource<Result> {
  readonly data: Result | null;
  readonly error: string | null;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
}

/** Runs a query when its variables change, and after a failure when the network is back; an answer that comes after a newer request is dropped. */
export function useQuery<Each extends RequestName>(
  name: Each,
  variables: Operations[Each]['variables'],
): Resource<Operations[Each]['result']> {
  const [state, setState] = useState<Omit<Resource<Operations[Each]['result']>, 'reload'>>({
    data: null,
    error: null,
    isLoading: true,
  });
  const latest = useRef(0);
  const key = JSON.stringify(variables);
  const reload = useCallback(async () => {
    latest.current += 1;
    const turn = latest.current;
    setState(before => ({ ...before, isLoading: true }));
    try {
      const data = await request(name, variables);
      if (turn === latest.current) setState({ data, error: null, isLoading: false });
    } catch (error) {
      if (turn === latest.current)
        setState(before => ({ ...before, error: errorText(error), isLoading: false }));
    }
  }, [name, key]);
  useEffect(() => {
    void reload();
    return () => {
      latest.current += 1;
    };
  }, [reload]);
  useEffect(() => {
    if (state.error === null) return;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [state.error, reload]);
  return { ...state, reload };
}

/** Subscribes while the component is shown and `key` is the same; null for no subscription. */
export function useSubscription<Each extends SubscriptionName>(
  name: Each,
  key: string | null,
  variables: () => Operations[Each]['variables'],
  receivers: Receivers<Operations[Each]['result']>,
): void {
  const latest = useRef({ variables, receivers });
  latest.current = { variables, receivers };
  useEffect(() => {
    if (key === null) return;
    return subscribe(name, () => latest.current.variables(), {
      onNext: result => latest.current.receivers.onNext(result),
      onError: error => latest.current.receivers.onError?.(error),
      onEnd: () => latest.current.receivers.onEnd?.(),
    });
  }, [name, key]);
}
