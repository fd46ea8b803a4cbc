import type { JSX } from 'preact';
import { request } from '../connection/http.ts';
import { Button } from '../parts/button.tsx';
import { now, wholeDuration } from '../parts/format.ts';
import { notifyFailure } from '../parts/notices.tsx';
import type { SessionData } from './useSession.ts';

/** The line over the picture while a step waits for an approval; null otherwise. */
export function ApprovalBar({ session }: { session: SessionData }): JSX.Element | null {
  const approval = session.runningOperation?.approval ?? null;
  if (approval === null || session.status !== 'ACTIVE') return null;
  const { id: approvalId, actionId, description, value, until } = approval;
  const input = { sessionId: session.id, approvalId };
  const left = Date.parse(until) - now.value;
  const decide = (name: 'DashApprove' | 'DashDeny') => () => {
    request(name, { input }).catch(notifyFailure);
  };
  return (
    <div class="take-over-bar waiting" role="status">
      <p>
        <strong>The agent asks to perform {actionId}:</strong> <bdi>{description ?? 'a special action'}</bdi>
        {value !== null && (
          <q class="task">
            <bdi>{value}</bdi>
          </q>
        )}
        {left > 0 && <span class="sub"> {wholeDuration(left)} left</span>}
      </p>
      <Button kind="primary" onClick={decide('DashApprove')}>
        Approve
      </Button>
      <Button onClick={decide('DashDeny')}>Deny</Button>
    </div>
  );
}
