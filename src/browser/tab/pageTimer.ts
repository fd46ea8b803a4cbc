/** Measures time by the answers of a page: a busy machine, on which everything is late, must not look like a page that is stuck. */
import { type StopWhen, settleWith } from '../../async/race.ts';

/** Time between an answer of the page and the next question. Milliseconds. */
const PING_INTERVAL_MS = 50;
/** Time between an answer of something and the next question to it. Milliseconds. */
const SILENCE_CHECK_INTERVAL_MS = 200;

/**
 * Ends a wait after `ms` milliseconds, of which the last `graceMs` pass only while the page answers. A page that answers no question is
 * left to `ScriptWatch` and to the deadline of the operation.
 * @param ping resolves or rejects when the page answers
 */
export const afterPageMs =
  <T>(ping: () => Promise<unknown>, ms: number, graceMs: number, result: () => T): StopWhen<T> =>
  outcome => {
    let left = graceMs;
    let isOver = false;
    const ask = (): void => {
      if (isOver) return;
      if (left <= 0) settleWith(result, outcome);
      else ping().then(answered, answered);
    };
    const answered = (): void => {
      left -= PING_INTERVAL_MS;
      if (!isOver) timer = setTimeout(ask, PING_INTERVAL_MS);
    };
    let timer = setTimeout(ask, Math.max(PING_INTERVAL_MS, ms - graceMs));
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  };

/**
 * Ends a wait when something has not answered for `ms` milliseconds in which the page answers.
 * @param ask resolves or rejects when it answers
 * @param ping the same for the page
 */
export const whenSilent =
  <T>(ask: () => Promise<unknown>, ping: () => Promise<unknown>, ms: number, result: () => T): StopWhen<T> =>
  outcome => {
    let isOver = false;
    let stopWaiting = (): void => {};
    const watch = (): void => {
      stopWaiting = afterPageMs(ping, ms, ms, result)(outcome);
      ask().then(answered, answered);
    };
    const answered = (): void => {
      stopWaiting();
      if (!isOver) timer = setTimeout(watch, SILENCE_CHECK_INTERVAL_MS);
    };
    let timer = setTimeout(watch, SILENCE_CHECK_INTERVAL_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stopWaiting();
    };
  };
