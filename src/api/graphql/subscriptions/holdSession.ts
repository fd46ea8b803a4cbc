/** The subscription `holdSession`: keeps a session for the person who has taken it over, as long as their connection lasts. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from '../../../domain/session/session.ts';
import { parseSessionId } from '../../../operations/operation.ts';
import { builder } from '../builder.ts';
import { SessionType } from '../definitions/session.ts';
import { cancellable } from './watchSession.ts';

/** Time between two signs of life to the node of the session, in milliseconds: a fifth of the grace. */
const RENEWAL_INTERVAL_MS = 6_000;

builder.subscriptionField('holdSession', t =>
  t.field({
    type: SessionType,
    authScopes: { operate: true },
    description:
      'Keeps a session for the person who has taken it over: yields the session now and every few seconds. When the connection ends, all keys and buttons are released, and the person has 30 seconds to subscribe again. Fails with TAKE_OVER_ENDED when the take-over has ended.',
    args: {
      sessionId: t.arg.id({ required: true, description: 'The id of the session.' }),
      holdId: t.arg.id({ required: true, description: 'The take-over, as `takeOver` returned it.' }),
    },
    subscribe: async (_root, args, { service, viewer, signal }): Promise<AsyncIterableIterator<Session>> => {
      const sessionId = parseSessionId(args.sessionId);
      const { holdId } = args;
      const cancelled = new AbortController();
      const isOver = AbortSignal.any([signal, cancelled.signal]);
      const renew = (isConnected: boolean) =>
        service.renewTakeOver(viewer, { sessionId, holdId, isConnected });
      const present = await renew(true);
      // A socket that is cut may end no generator: the keys must be released all the same.
      const onCut = () => void renew(false).catch(() => undefined);
      isOver.addEventListener('abort', onCut, { once: true });
      async function* hold(): AsyncGenerator<Session, void, undefined> {
        try {
          yield present;
          for (;;) {
            await delay(RENEWAL_INTERVAL_MS, undefined, { signal: isOver });
            yield await renew(true);
          }
        } catch (error) {
          if (!isOver.aborted) throw error;
        } finally {
          isOver.removeEventListener('abort', onCut);
        }
      }
      return cancellable(hold(), () => cancelled.abort());
    },
    resolve: session => session,
  }),
);
