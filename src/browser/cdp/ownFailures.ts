/** Failures of the service's own in a page, which no operation is told: the log gets them. */
import { channel } from 'node:diagnostics_channel';

interface OwnFailure {
  readonly what: string;
  readonly err: unknown;
}

const failures = channel('pagespace:own-failures');

/** @param what says what does not work */
export function ownFailure(what: string, err: unknown): void {
  failures.publish({ what, err } satisfies OwnFailure);
}

/** @returns a function that stops calling the listener */
export function onOwnFailure(listener: (failure: OwnFailure) => void): () => void {
  const onMessage = (message: unknown): void => listener(message as OwnFailure);
  failures.subscribe(onMessage);
  return () => void failures.unsubscribe(onMessage);
}
