import { describe, expect, it } from 'vitest';
import { isFailure } from '../../src/domain/failure/failures.ts';
import {
  type ActiveSession,
  endedAt,
  expiresAt,
  newSession,
  type Session,
  sessionError,
} from '../../src/domain/session/session.ts';
import { durationMs, durationText, endsAfterOperation } from '../../src/domain/session/sessionLimits.ts';
import { endReason, type SessionTrigger, transition } from '../../src/domain/session/sessionTransition.ts';

const BORN = Date.parse('2026-03-09T12:00:00.000Z');
const MINUTE = 60_000;

const active: ActiveSession = newSession({ id: 's', accountId: 'a', at: BORN, timeoutMinutes: 5 });
const running = transition(active, { type: 'operation_started', at: BORN + 1_000 });
const closed = transition(active, { type: 'close', at: BORN + 2_000 });
const timedOut = transition(active, { type: 'clock', at: BORN + 5 * MINUTE });
const failed = transition(active, { type: 'browser_lost', at: BORN + 2_000, reason: 'The browser ended.' });

const LATER = BORN + 60 * MINUTE;
const triggers: Record<SessionTrigger['type'], SessionTrigger> = {
  operation_started: { type: 'operation_started', at: LATER },
  operation_ended: { type: 'operation_ended', at: LATER },
  page_changed: { type: 'page_changed', at: LATER, url: 'https://example.com/', pageTitle: 'Example' },
  extended: { type: 'extended', at: LATER },
  renamed: { type: 'renamed', name: 'orders', labels: ['shop'] },
  options_changed: { type: 'options_changed', options: { locale: 'de-DE' } },
  take_over_changed: { type: 'take_over_changed', at: LATER, takeOver: null },
  approval_changed: { type: 'approval_changed', approval: null },
  dialog_changed: { type: 'dialog_changed', dialog: null },
  close: { type: 'close', at: LATER },
  clock: { type: 'clock', at: LATER },
  clock_jumped: { type: 'clock_jumped', byMs: 60 * MINUTE },
  browser_lost: { type: 'browser_lost', at: LATER, reason: 'gone' },
  limit_exceeded: { type: 'limit_exceeded', at: LATER, reason: 'too much' },
};

const states: Record<string, Session> = { active, running, closed, timedOut, failed };

/** Status after each trigger from each state; a failure code if the trigger is refused. */
const cells: Record<string, Record<SessionTrigger['type'], string>> = {
  active: {
    operation_started: 'active',
    operation_ended: 'active',
    page_changed: 'active',
    extended: 'active',
    renamed: 'active',
    options_changed: 'active',
    take_over_changed: 'active',
    approval_changed: 'active',
    dialog_changed: 'active',
    close: 'closed',
    clock: 'timed_out',
    clock_jumped: 'active',
    browser_lost: 'error',
    limit_exceeded: 'error',
  },
  running: {
    operation_started: 'active',
    operation_ended: 'active',
    page_changed: 'active',
    extended: 'active',
    renamed: 'active',
    options_changed: 'active',
    take_over_changed: 'active',
    approval_changed: 'active',
    dialog_changed: 'active',
    close: 'closed',
    clock: 'active',
    clock_jumped: 'active',
    browser_lost: 'error',
    limit_exceeded: 'error',
  },
  closed: {
    operation_started: 'SESSION_CLOSED',
    operation_ended: 'closed',
    page_changed: 'closed',
    extended: 'closed',
    renamed: 'closed',
    options_changed: 'closed',
    take_over_changed: 'closed',
    approval_changed: 'closed',
    dialog_changed: 'closed',
    close: 'closed',
    clock: 'closed',
    clock_jumped: 'closed',
    browser_lost: 'closed',
    limit_exceeded: 'closed',
  },
  timedOut: {
    operation_started: 'SESSION_TIMED_OUT',
    operation_ended: 'timed_out',
    page_changed: 'timed_out',
    extended: 'timed_out',
    renamed: 'timed_out',
    options_changed: 'timed_out',
    take_over_changed: 'timed_out',
    approval_changed: 'timed_out',
    dialog_changed: 'timed_out',
    close: 'timed_out',
    clock: 'timed_out',
    clock_jumped: 'timed_out',
    browser_lost: 'timed_out',
    limit_exceeded: 'timed_out',
  },
  failed: {
    operation_started: 'SESSION_ERROR',
    operation_ended: 'error',
    page_changed: 'error',
    extended: 'error',
    renamed: 'error',
    options_changed: 'error',
    take_over_changed: 'error',
    approval_changed: 'error',
    dialog_changed: 'error',
    close: 'error',
    clock: 'error',
    clock_jumped: 'error',
    browser_lost: 'error',
    limit_exceeded: 'error',
  },
};

function outcome(session: Session, trigger: SessionTrigger): string {
  try {
    return transition(session, trigger).status;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return error.code;
  }
}

describe('transition()', () => {
  for (const [state, row] of Object.entries(cells))
    for (const [type, expected] of Object.entries(row))
      it(`${state} × ${type} → ${expected}`, () => {
        const session = states[state];
        if (session === undefined) throw new Error(`no state ${state}`);
        expect(outcome(session, triggers[type as SessionTrigger['type']])).toBe(expected);
      });

  it('returns the same object for an ended session', () => {
    for (const session of [closed, timedOut, failed])
      for (const trigger of Object.values(triggers))
        if (trigger.type !== 'operation_started') expect(transition(session, trigger)).toBe(session);
  });
});

describe('an extended session', () => {
  it('has its whole idle timeout again, also with another timeout', () => {
    const at = BORN + 2 * MINUTE;
    expect(expiresAt(transition(active, { type: 'extended', at }))).toBe(at + 5 * MINUTE);
    expect(expiresAt(transition(active, { type: 'extended', at, timeoutMinutes: 9 }))).toBe(at + 9 * MINUTE);
  });
});

describe('a renamed session', () => {
  const named = transition(active, { type: 'renamed', name: 'orders', labels: ['shop', 'a', 'shop'] });

  it('has its labels sorted, each once', () => {
    expect(named).toMatchObject({ name: 'orders', labels: ['a', 'shop'] });
  });
  it('keeps what the change does not name', () => {
    expect(transition(named, { type: 'renamed' })).toEqual(named);
  });
  it('loses its name by null, and its labels by none', () => {
    expect(transition(named, { type: 'renamed', name: null, labels: [] })).toEqual(active);
  });
});

describe('the maximum lifetime', () => {
  const short = newSession({ id: 's', accountId: 'a', at: BORN, timeoutMinutes: 5, maxLifetimeMinutes: 7 });
  const busy = transition(short, { type: 'operation_started', at: BORN + 6 * MINUTE });

  it('ends a session exact to the millisecond, even if it is in use', () => {
    expect(transition(busy, { type: 'clock', at: BORN + 7 * MINUTE - 1 }).status).toBe('active');
    expect(transition(busy, { type: 'clock', at: BORN + 7 * MINUTE })).toMatchObject({
      status: 'timed_out',
      endedAt: BORN + 7 * MINUTE,
    });
  });

  it('does not extend the idle timeout', () => {
    expect(expiresAt(short)).toBe(BORN + 5 * MINUTE);
    expect(expiresAt(busy)).toBe(BORN + 7 * MINUTE);
  });

  it('has its own failure detail, different from an idle timeout', () => {
    const ended = transition(busy, { type: 'clock', at: BORN + 7 * MINUTE });
    expect(() => transition(ended, { type: 'operation_started', at: BORN + 8 * MINUTE })).toThrow(
      /maximum lifetime/,
    );
    expect(() => transition(timedOut, { type: 'operation_started', at: LATER })).toThrow(
      /was idle for 5 minutes/,
    );
  });

  it('moves with a jump of the clock', () => {
    expect(expiresAt(transition(busy, { type: 'clock_jumped', byMs: -MINUTE }))).toBe(BORN + 6 * MINUTE);
  });

  it('is absent by default', () => {
    expect(
      newSession({ id: 's', accountId: 'a', at: BORN, timeoutMinutes: 5, maxLifetimeMinutes: null }),
    ).toEqual(active);
  });
});

describe('the idle timer', () => {
  it('ends a session exactly at its timeout, not a millisecond before', () => {
    expect(transition(active, { type: 'clock', at: BORN + 5 * MINUTE - 1 }).status).toBe('active');
    expect(transition(active, { type: 'clock', at: BORN + 5 * MINUTE }).status).toBe('timed_out');
  });

  it('is stopped while an operation runs', () => {
    expect(expiresAt(running)).toBeNull();
  });

  it('restarts when the operation ends', () => {
    const ended = transition(running, { type: 'operation_ended', at: BORN + 3 * MINUTE });
    expect(expiresAt(ended)).toBe(BORN + 8 * MINUTE);
  });

  it('restarts when the last of two operations ends', () => {
    const two = transition(running, { type: 'operation_started', at: BORN + 2_000 });
    const one = transition(two, { type: 'operation_ended', at: BORN + 3_000 });
    expect(expiresAt(one)).toBeNull();
    expect(expiresAt(transition(one, { type: 'operation_ended', at: BORN + 4_000 }))).toBe(
      BORN + 4_000 + 5 * MINUTE,
    );
  });

  it('uses the new timeout of an operation', () => {
    const longer = transition(active, { type: 'operation_started', at: BORN, timeoutMinutes: 20 });
    expect(expiresAt(transition(longer, { type: 'operation_ended', at: BORN + 1 }))).toBe(
      BORN + 1 + 20 * MINUTE,
    );
  });

  it('keeps the remaining time when the clock jumps forwards or back', () => {
    for (const byMs of [3_600_000, -3_600_000]) {
      const set = transition(active, { type: 'clock_jumped', byMs });
      expect(expiresAt(set)).toBe(BORN + 5 * MINUTE + byMs);
    }
  });

  it('never goes back when the clock does', () => {
    const ended = transition(running, { type: 'operation_ended', at: BORN - MINUTE });
    expect(ended.lastAccessedAt).toBe(BORN + 1_000);
  });
});

describe('endedAt(), sessionError() and durationMs()', () => {
  it('endedAt() returns the end of an ended session', () => {
    expect(endedAt(active)).toBeNull();
    expect(endedAt(closed)).toBe(BORN + 2_000);
  });

  it('sessionError() returns the error of a failed session only', () => {
    expect([active, closed, timedOut].map(sessionError)).toEqual([null, null, null]);
    expect(sessionError(failed)).toBe('The browser ended.');
  });

  it('durationMs() returns the age until now, or until the end', () => {
    expect(durationMs(active, BORN + 1_500)).toBe(1_500);
    expect(durationMs(closed, BORN + 99_000)).toBe(2_000);
    expect(durationMs(active, BORN - 5)).toBe(0);
  });

  it.each([
    [0, '0 seconds'],
    [999, '0 seconds'],
    [1_000, '1 second'],
    [12_900, '12 seconds'],
    [59_999, '59 seconds'],
    [60_000, '1 minute'],
    [5 * 60_000, '5 minutes'],
    [3_600_000, '1 hour'],
    [2 * 3_600_000, '2 hours'],
    [1_500 * 3_600_000, '1500 hours'],
  ])('%i ms as "%s"', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

describe('endsAfterOperation()', () => {
  it.each([
    ['start', true, undefined, false],
    ['start', true, false, false],
    ['start', true, true, false],
    ['observe', true, undefined, true],
    ['observe', true, false, true],
    ['observe', true, true, false],
    ['scrape', true, null, true],
    ['scrape', true, true, false],
    ['observe', false, undefined, false],
    ['step', false, null, false],
    ['step', false, false, true],
    ['step', false, true, false],
    ['scrape', false, false, true],
    ['close', false, true, true],
    ['close', false, undefined, true],
  ] as const)('%s, session made by it: %s, flag %s → ends: %s', (operation, created, flag, ends) => {
    expect(endsAfterOperation(operation, created, flag)).toBe(ends);
  });
});

it('an ended session says why, unless a caller closed it', () => {
  const by = { keyId: 'k', keyName: 'nightly', kind: 'agent' } as const;
  const reasons = [active, transition(active, { type: 'close', at: LATER, by }), timedOut, failed].map(
    endReason,
  );
  expect(reasons).toEqual([null, null, 'It was idle for 5 minutes.', 'The browser ended.']);
  const reason = 'The service was shut down.';
  expect(endReason(transition(active, { type: 'close', at: LATER, reason }))).toBe(reason);
});
