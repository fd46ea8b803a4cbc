import type { JSX } from 'preact';
import type { DashSessionRowFragment, DashSharedFragment } from '../generated/operations.ts';
import { callerText, durationText, now, wholeDuration, words } from './format.ts';

/** The fields of a session that its status is told by. The viewers of a share link get no callers and no approvals. */
export type StatusFields = DashSharedFragment &
  Partial<Pick<DashSessionRowFragment, 'endedBy'>> & {
    readonly runningOperation: {
      readonly approval?: { readonly description: string | null } | null;
    } | null;
  };

type Tone = 'working' | 'idle' | 'soon' | 'ended' | 'bad' | 'person';

/** An idle session that ends within this time is marked, in milliseconds. */
const ENDS_SOON_MS = 30_000;

/** Returns the word and what follows it: `working` and `step B2, 1.2 s`. @param at the present time in milliseconds */
export function statusOf(
  fields: StatusFields,
  at: number,
): { readonly tone: Tone; readonly word: string; readonly more: string } {
  const { status, endReason, endedBy, expiresAt, dialog, runningOperation, takeOver } = fields;
  if (status === 'CLOSED') {
    const more = endedBy == null ? (endReason ?? '') : `by ${callerText(endedBy)}`;
    return { tone: 'ended', word: 'closed', more };
  }
  if (status === 'TIMED_OUT') return { tone: 'ended', word: 'timed out', more: endReason ?? '' };
  if (status === 'ERROR') return { tone: 'bad', word: 'failed', more: endReason ?? '' };
  if (takeOver?.status === 'WAITING')
    return { tone: 'soon', word: 'waits for a person', more: takeOver.instructions ?? '' };
  if (takeOver?.status === 'HELD')
    return { tone: 'person', word: `held by ${takeOver.holder ?? 'a person'}`, more: '' };
  if (dialog !== null)
    return { tone: 'soon', word: 'blocked', more: `${words(dialog.kind)}: ${dialog.message}` };
  if (runningOperation?.approval != null)
    return { tone: 'soon', word: 'waits for approval', more: runningOperation.approval.description ?? '' };
  if (runningOperation !== null) {
    const { kind, actionId, startedAt } = runningOperation;
    const time = durationText(Math.max(0, at - Date.parse(startedAt)));
    return {
      tone: 'working',
      word: words(kind),
      more: `${actionId === null ? '' : `${actionId} · `}${time}`,
    };
  }
  const left = expiresAt === null ? null : Date.parse(expiresAt) - at;
  if (left === null) return { tone: 'idle', word: 'idle', more: '' };
  return {
    tone: left < ENDS_SOON_MS ? 'soon' : 'idle',
    word: 'idle',
    more: left <= 0 ? 'ends now' : `${wholeDuration(left)} left`,
  };
}

/** The status of a session, with a point whose colour and form tell it too. */
export function SessionStatus({ session }: { session: StatusFields }): JSX.Element {
  const { tone, word, more } = statusOf(session, now.value);
  return (
    <span class={`status ${tone}`} title={more === '' ? word : `${word}: ${more}`}>
      <span class="dot" aria-hidden="true" />
      <span class="word">{word}</span>
      {more !== '' && <span class="more">{more}</span>}
    </span>
  );
}
