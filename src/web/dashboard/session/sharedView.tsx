/** The view of a share link: the live picture of one session, and its take-over if the link allows that. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { apiKey, signedOutBecause } from '../connection/access.ts';
import { errorText, post } from '../connection/http.ts';
import { useQuery, useSubscription } from '../connection/useResource.ts';
import type { DashSharedFragment } from '../generated/operations.ts';
import { shortUrl } from '../parts/format.ts';
import { type FrameData, PictureCanvas } from '../parts/livePicture.tsx';
import { SessionStatus } from '../parts/sessionStatus.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { PageDialog } from './browserBar.tsx';
import { InputLayer } from './inputLayer.tsx';
import { DEFAULT_SIZE } from './pagePicture.tsx';
import { Picker, TakeOverBar, TakeOverButton } from './takeOverBar.tsx';
import { useTakeOver } from './useTakeOver.ts';

interface Visit {
  readonly token: string;
  readonly sessionId: string;
  readonly mode: 'read' | 'control';
}

const STORAGE_KEY = 'pagespace.visit';
const PICTURE = { maxWidth: 1280, quality: 70 } as const;

/** Takes the secret out of the address, so that it is in no history; null if there is none. */
function takeSecret(): string | null {
  const secret = /^#(psl_[\w-]+)$/.exec(location.hash)?.[1] ?? null;
  if (secret !== null) history.replaceState(null, '', location.pathname);
  return secret;
}

async function openVisit(secret: string | null): Promise<Visit> {
  if (secret !== null) {
    const visit = (await post('/dashboard/share', { secret })) as Visit;
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(visit));
    return visit;
  }
  const kept = sessionStorage.getItem(STORAGE_KEY);
  if (kept === null) throw new Error('The address has no secret. Open the whole link again.');
  return JSON.parse(kept) as Visit;
}

export function SharedView(): JSX.Element {
  const [secret] = useState(takeSecret);
  const [visit, setVisit] = useState<Visit | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    document.title = 'Shared session · pagespace';
    openVisit(secret).then(
      opened => {
        apiKey.value = opened.token;
        setVisit(opened);
      },
      failure => setError(errorText(failure)),
    );
  }, []);
  const reason = error ?? (visit !== null && apiKey.value === null ? (signedOutBecause.value ?? '') : null);
  if (reason !== null)
    return (
      <main class="shared">
        <Empty icon="link" title="This link does not work" isPage>
          <p role="alert">{reason}</p>
        </Empty>
      </main>
    );
  return (
    <main class="shared">
      {visit === null ? <Loading what="the session" /> : <SharedSession visit={visit} />}
    </main>
  );
}

function SharedSession({ visit }: { visit: Visit }): JSX.Element {
  const { sessionId } = visit;
  const { data } = useQuery('DashSharedSession', { id: sessionId });
  const [changed, setChanged] = useState<DashSharedFragment | null>(null);
  useSubscription('DashSharedChange', sessionId, () => ({ sessionId }), {
    onNext: ({ sessionChanged }) => setChanged(sessionChanged),
  });
  const session = changed ?? data?.session ?? null;
  return session === null ? <Loading what="the session" /> : <Shown session={session} mode={visit.mode} />;
}

function Shown({ session, mode }: { session: DashSharedFragment; mode: Visit['mode'] }): JSX.Element {
  const [frame, setFrame] = useState<FrameData | null>(null);
  const keyboard = useRef<(() => void) | null>(null);
  const isActive = session.status === 'ACTIVE';
  useSubscription(
    'DashFrames',
    isActive && session.url !== null ? session.id : null,
    () => ({ sessionId: session.id, ...PICTURE }),
    { onNext: ({ sessionFrames }) => setFrame(sessionFrames) },
  );
  const takeOver = useTakeOver(session);
  const { width, height } = frame ?? DEFAULT_SIZE;
  const title =
    session.name ?? session.pageTitle ?? (session.url === null ? 'Session' : shortUrl(session.url));
  return (
    <>
      <header class="view-head">
        <div class="title-block">
          <h1>
            <bdi>{title}</bdi>
          </h1>
          <span class="sub">
            <SessionStatus session={session} /> {session.url !== null && <bdi>{shortUrl(session.url)}</bdi>}
          </span>
        </div>
        <span class="spread" />
        {mode === 'control' && isActive && session.takeOver === null && (
          <TakeOverButton takeOver={takeOver} />
        )}
      </header>
      <section class="stage-left" aria-label="The page" tabIndex={0}>
        {(mode === 'control' || session.takeOver?.status === 'HELD') && (
          <TakeOverBar session={session} takeOver={takeOver} openKeyboard={() => keyboard.current?.()} />
        )}
        <div class="frame">
          <div class="page-picture" style={{ aspectRatio: `${width} / ${height}` }}>
            <PictureCanvas frame={isActive ? frame : null} label={`Live picture of ${title}`} />
            {!isActive && <p class="picture-message">The session has ended.</p>}
            {takeOver.sender !== null && (
              <InputLayer
                size={{ width, height }}
                send={(...events) => takeOver.sender?.send(...events)}
                keyboard={keyboard}
              />
            )}
          </div>
          <Picker takeOver={takeOver} openKeyboard={() => keyboard.current?.()} />
          {session.dialog !== null && (
            <PageDialog
              key={session.dialog.message}
              dialog={session.dialog}
              answer={takeOver.sender?.answerDialog ?? null}
            />
          )}
        </div>
      </section>
    </>
  );
}
