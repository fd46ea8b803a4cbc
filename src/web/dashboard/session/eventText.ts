/** Events in words. */

import type { Call } from '../parts/callSnippets.ts';
import { callerText, words } from '../parts/format.ts';
import type { EventData } from './useSession.ts';

/** How serious an event is, which its colour tells. */
export type EventTone = 'plain' | 'step' | 'bad' | 'end';

/** An event in words: `step B2`, `Add to basket`. */
export interface EventText {
  readonly tone: EventTone;
  readonly title: string;
  readonly detail: string;
}

export function eventText(event: EventData): EventText {
  const input = event.performed?.input;
  switch (event.__typename) {
    case 'SessionSteppedEvent': {
      const { id, description } = event.action;
      const value = input?.value ?? null;
      const name = input?.name ?? description ?? '';
      return {
        tone: 'step',
        title: id,
        detail: `${name}${value === null ? '' : ` ← ${value}`}${input?.enter ? ' ⏎' : ''}`,
      };
    }
    case 'SessionObservedEvent':
      return {
        tone: 'plain',
        title: 'observed',
        detail: event.performed?.title ?? event.performed?.url ?? '',
      };
    case 'SessionScrapedEvent':
      return { tone: 'plain', title: 'read', detail: event.performed?.title ?? '' };
    case 'SessionFailedEvent':
      return {
        tone: 'bad',
        title: `${event.operation}${input?.actionId == null ? '' : ` ${input.actionId}`} failed`,
        detail: event.failure.detail,
      };
    case 'SessionEndedEvent':
      return {
        tone: event.status === 'ERROR' ? 'bad' : 'end',
        title: words(event.status),
        detail: event.endedBy === null ? (event.reason ?? '') : `by ${callerText(event.endedBy)}`,
      };
    case 'SessionDialogEvent':
      return { tone: 'plain', title: words(event.kind), detail: event.message };
    case 'SessionDownloadEvent':
      return { tone: 'plain', title: `download ${event.downloadId}`, detail: event.fileName };
    case 'SessionTabEvent':
      return {
        tone: 'plain',
        title: `${event.tabId} ${event.opened ? 'opened' : 'closed'}`,
        detail: event.tabUrl,
      };
    case 'SessionBlockedEvent':
      return { tone: 'bad', title: 'blocked', detail: `${event.blockedUrl} ${event.detail}` };
    case 'SessionRecordStoppedEvent':
      return { tone: 'bad', title: 'record stopped', detail: event.recordReason };
    case 'SessionTakeOverRequestedEvent':
      return { tone: 'step', title: 'asked for a person', detail: event.instructions };
    case 'SessionTakenOverEvent':
      return { tone: 'step', title: 'taken over', detail: `by ${event.takenOverBy}` };
    case 'SessionHandedBackEvent': {
      const { handedBackBy, inputs, navigations, handBackReason } = event;
      const done =
        handedBackBy === null
          ? ''
          : `${handedBackBy}: ${counted(inputs, 'input')}, ${counted(navigations, 'navigation')}`;
      return {
        tone: 'step',
        title: handedBackBy === null ? 'no longer waits' : 'handed back',
        detail: [done, handBackReason].filter(text => text !== null && text !== '').join(' · '),
      };
    }
    case 'SessionCreatedEvent':
      return { tone: 'end', title: 'started', detail: '' };
  }
}

const counted = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

/** The call that made the event; null for what the page or the service did by itself. */
export function callOf(event: EventData, sessionId: string): Call | null {
  const input = event.performed?.input;
  if (input === undefined || event.type === 'CREATED') return null;
  const { actionId, url, enter } = input;
  if (actionId === null && url === null) return null;
  return { sessionId, actionId, value: actionId === null ? url : input.value, enter };
}
