/** The take-over of one session, with a page whose moments the test decides. */
import { beforeEach, expect, it } from 'vitest';
import type { BrowserLease } from '../../../src/domain/ports/browserHost.ts';
import type { Caller } from '../../../src/domain/session/performedOperation.ts';
import { newSession } from '../../../src/domain/session/session.ts';
import type { SessionEvent } from '../../../src/domain/session/sessionEvent.ts';
import type { InputEvent } from '../../../src/domain/session/takeOver.ts';
import { OperationQueue } from '../../../src/service/sessions/operationDeadline.ts';
import { HOLD_GRACE_MS, TakeOverControl } from '../../../src/service/sessions/takeOverControl.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';

const AGENT: Caller = { keyId: 'k', keyName: 'agent', kind: 'agent' };
const ANA: Caller = { keyId: 'k', keyName: 'ana', kind: 'person' };
const TEXT: InputEvent = { type: 'text', text: 'a' };
const never = new AbortController().signal;

let clock: ManualClock;
let control: TakeOverControl;
/** Inputs that wait in the page: each is taken, or cut, when the test goes on. */
let page: { readonly mayGoOn: () => boolean; readonly finish: () => void }[];
let events: SessionEvent[];
let releases: number;
let failRelease: Error | null;
let failAudit: Error | null;
let failChange: Error | null;
/** The rows of the audit log. */
let audited: object[];
/** Writes the row of a hand-back. */
const row = async (): Promise<void> => void audited.push({ name: 'Ana' });

beforeEach(() => {
  clock = manualClock();
  page = [];
  events = [];
  releases = 0;
  failRelease = failAudit = failChange = null;
  audited = [];
  const queue = new OperationQueue();
  const session = newSession({ id: 's', accountId: 'a', at: 0, timeoutMinutes: 5 });
  const lease = {
    tabs: () => [],
    person: {
      counts: { inputs: 0, navigations: 0 },
      dispatch: (_events: unknown, mayGoOn: () => boolean) => {
        const { promise, resolve } = Promise.withResolvers<object>();
        page.push({ mayGoOn, finish: () => resolve({ copied: null, options: null }) });
        return promise;
      },
      release: async () => {
        if (failRelease !== null) throw failRelease;
        releases++;
      },
    },
  } as unknown as BrowserLease;
  control = new TakeOverControl({
    clock,
    now: () => clock.now(),
    warn: () => {},
    session: () => session,
    lease: () => lease,
    lastObserved: () => null,
    alone: async (owner, signal, work) => {
      const leave = await queue.acquire(signal, owner);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    audit: async details => {
      if (failAudit !== null) throw failAudit;
      audited.push(details);
    },
    changed: async (_takeOver, changed) => {
      if (failChange !== null) throw failChange;
      events.push(...changed);
    },
    pageChanged: () => {},
  });
});

it('input that runs is cut when the session is handed back, and input that waits is refused', async () => {
  const hold = await control.begin('Ana', ANA, null);
  const running = control.dispatch(hold, [TEXT], never);
  await expect.poll(() => page.length).toBe(1);
  const waiting = control.dispatch(hold, [TEXT], never);
  expect(page[0]?.mayGoOn()).toBe(true);
  const handedBack = control.handBack(hold, row);
  expect(page[0]?.mayGoOn()).toBe(false);
  await expect(control.dispatch(hold, [TEXT], never)).rejects.toMatchObject({ code: 'TAKE_OVER_ENDED' });
  page[0]?.finish();
  await running;
  await expect(waiting).rejects.toMatchObject({ code: 'TAKE_OVER_ENDED' });
  await handedBack;
  expect(page.length).toBe(1);
  expect(releases).toBe(1);
});

it('a queue that is full of input does not keep a person from handing the session back', async () => {
  const hold = await control.begin('Ana', ANA, null);
  const sent = Array.from({ length: 20 }, () => control.dispatch(hold, [TEXT], never));
  const results = Promise.allSettled(sent);
  await expect.poll(() => page.length).toBe(1);
  await expect(sent.at(-1)).rejects.toMatchObject({ code: 'SESSION_BUSY' });
  const handedBack = control.handBack(hold, row);
  page[0]?.finish();
  await handedBack;
  await results;
  expect(control.admits({ caller: AGENT })).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: 'handed_back', holder: 'Ana', reason: null });
});

it('a hand-back that is sent again withdraws no later request of the agent', async () => {
  const hold = await control.begin('Ana', ANA, null);
  await control.handBack(hold, row);
  await control.request('Sign in', 60_000, AGENT);
  await control.handBack(hold, row);
  expect(control.admits({ caller: AGENT, holdId: null })).toBe(false);
});

it('a take-over whose end cannot be written in the audit log lasts until it can, and has one row then', async () => {
  await control.begin('Ana', ANA, null);
  failAudit = new Error('disk');
  clock.advance(HOLD_GRACE_MS);
  await expect.poll(() => releases).toBe(1);
  expect(control.admits({ caller: AGENT })).toBe(false);
  failAudit = null;
  clock.advance(HOLD_GRACE_MS);
  await expect.poll(() => control.admits({ caller: AGENT })).toBe(true);
  expect(audited).toEqual([{ name: 'Ana', reason: 'The connection of the person was lost.' }]);
});

it('a take-over that ends with its session while it is handed back has one row of its end', async () => {
  const hold = await control.begin('Ana', ANA, null);
  const running = control.dispatch(hold, [TEXT], never);
  await expect.poll(() => page.length).toBe(1);
  const handedBack = control.handBack(hold, row);
  await control.endWithSession().writeRow();
  page[0]?.finish();
  await Promise.all([running, handedBack]);
  expect(audited).toEqual([{ name: 'Ana', reason: 'The session ended.' }]);
});

it('a take-over whose begin cannot be written leaves the request for a person as it was', async () => {
  await control.request('Sign in', 60_000, AGENT);
  failChange = new Error('disk');
  await expect(control.begin('Ana', ANA, null)).rejects.toThrow('disk');
  failChange = null;
  expect(control.holder).toBe(null);
  expect(control.admits({ caller: AGENT })).toBe(false);
  clock.advance(60_000);
  await expect.poll(() => control.admits({ caller: AGENT })).toBe(true);
  expect(audited).toEqual([]);
});

it('a hand-back that fails has no row, and is tried again when the time of grace is over', async () => {
  const hold = await control.begin('Ana', ANA, null);
  failRelease = new Error('The page does not answer.');
  await expect(control.handBack(hold, row)).rejects.toThrow('does not answer');
  expect(audited).toEqual([]);
  expect(control.admits({ caller: AGENT })).toBe(false);
  failRelease = null;
  clock.advance(HOLD_GRACE_MS);
  await expect.poll(() => control.admits({ caller: AGENT })).toBe(true);
  expect(audited).toHaveLength(1);
});
