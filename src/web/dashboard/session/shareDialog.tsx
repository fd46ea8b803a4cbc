import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { errorText, request } from '../connection/http.ts';
import { useQuery } from '../connection/useResource.ts';
import type { DashShareLinkFragment } from '../generated/operations.ts';
import { Button, submits } from '../parts/button.tsx';
import { CopyButton } from '../parts/copyButton.tsx';
import { now, wholeDuration } from '../parts/format.ts';
import { Modal } from '../parts/modal.tsx';
import { notifyFailure } from '../parts/notices.tsx';
import { Loading, Wrong } from '../parts/states.tsx';

/** The lifetimes that are offered, in minutes. */
const LIFETIMES = [
  [15, '15 minutes'],
  [60, 'an hour'],
  [480, '8 hours'],
  [1_440, 'a day'],
] as const;

export function ShareDialog({ sessionId, onClose }: { sessionId: string; onClose: () => void }): JSX.Element {
  const { data, error, reload } = useQuery('DashShareLinks', { id: sessionId });
  const [address, setAddress] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const links = data?.session?.shareLinks ?? null;
  const create = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const mode = fields.get('mode') === 'CONTROL' ? 'CONTROL' : 'READ';
    setFailure(null);
    try {
      const input = { sessionId, mode, minutes: Number(fields.get('minutes')) } as const;
      const { createShareLink } = await request('DashCreateShareLink', { input });
      setAddress(new URL(createShareLink.path, location.href).href);
      await reload();
    } catch (refusal) {
      setFailure(errorText(refusal));
    }
  };
  const revoke = async (linkId: string) => {
    try {
      await request('DashRevokeShareLink', { input: { sessionId, linkId } });
      setAddress(null);
      await reload();
    } catch (refusal) {
      notifyFailure(refusal);
    }
  };
  return (
    <Modal title="Share the session" onClose={onClose}>
      <form class="fields" onSubmit={submits(create)}>
        <p class="sub">Whoever has the link sees this session and nothing else, without an account.</p>
        <label>
          They may
          <select name="mode">
            <option value="READ">look</option>
            <option value="CONTROL">look, and take over</option>
          </select>
        </label>
        <label>
          The link ends after
          <select name="minutes">
            {LIFETIMES.map(([minutes, words]) => (
              <option key={minutes} value={minutes} selected={minutes === 60}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <Wrong text={failure ?? error} />
        <Button kind="primary" type="submit">
          Create a link
        </Button>
      </form>
      {address !== null && (
        <p class="share-address">
          <label>
            The new link. It is shown only now.
            <input type="text" readOnly value={address} onFocus={event => event.currentTarget.select()} />
          </label>
          <CopyButton text={address} label="Copy the link">
            Copy
          </CopyButton>
        </p>
      )}
      {links === null ? (
        error === null && <Loading what="the links" />
      ) : (
        <ul class="share-links" aria-label="Links">
          {links.toReversed().map(link => (
            <LinkRow key={link.id} link={link} revoke={() => revoke(link.id)} />
          ))}
        </ul>
      )}
    </Modal>
  );
}

function LinkRow({ link, revoke }: { link: DashShareLinkFragment; revoke: () => void }): JSX.Element {
  const { mode, expiresAt, revokedAt, views, viewers } = link;
  const left = Date.parse(expiresAt) - now.value;
  const isOver = revokedAt !== null || left <= 0;
  return (
    <li>
      <span>
        <strong>{mode === 'READ' ? 'Look' : 'Take over'}</strong>{' '}
        <span class="sub">
          {revokedAt !== null ? 'revoked' : left <= 0 ? 'ended' : `${wholeDuration(left)} left`} ·{' '}
          {views === 1 ? '1 view' : `${views} views`}
          {viewers > 0 && ` · ${viewers} open now`}
        </span>
      </span>
      {!isOver && <Button onClick={revoke}>Revoke</Button>}
    </li>
  );
}
