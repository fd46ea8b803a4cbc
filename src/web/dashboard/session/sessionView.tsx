/** The view of one session: its live picture, its list, its timeline, and the moments before. */

import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { request } from '../connection/http.ts';
import { useSubscription } from '../connection/useResource.ts';
import { Button, Check } from '../parts/button.tsx';
import { CopyButton } from '../parts/copyButton.tsx';
import { shortUrl } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import type { FrameData } from '../parts/livePicture.tsx';
import { notify, notifyFailure } from '../parts/notices.tsx';
import { SessionStatus } from '../parts/sessionStatus.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { ActionList } from './actionList.tsx';
import { ApprovalBar } from './approvalBar.tsx';
import { BeforeAfter, EventBanner, type Side } from './beforeAfter.tsx';
import { ACCEPT, BrowserBar, DISMISS, PageDialog, SpecialActions, TabStrip } from './browserBar.tsx';
import { ExportMenu } from './exports.tsx';
import { InputLayer } from './inputLayer.tsx';
import { ConsolePanel, NetworkPanel, spanOf } from './pageLogPanel.tsx';
import { type Changes, DEFAULT_SIZE, PagePicture } from './pagePicture.tsx';
import { usePerforming } from './performing.ts';
import { ShareDialog } from './shareDialog.tsx';
import { ChangesPanel, FilesPanel, PageText } from './sidePanel.tsx';
import { Picker, TakeOverBar, TakeOverButton } from './takeOverBar.tsx';
import { EventList, TimelineStrip } from './timeline.tsx';
import {
  type ActionData,
  type EventData,
  type Moment,
  type SessionData,
  useMoment,
  useSession,
} from './useSession.ts';
import { type TakeOverState, useTakeOver } from './useTakeOver.ts';

/** Width of the live picture in pixels: that of the viewport, so that texts can be read. */
const PICTURE_WIDTH = 1280;
const PICTURE_QUALITY = 70;

const PANELS = ['Actions', 'Events', 'Changes', 'Text', 'Console', 'Network', 'Files'] as const;
type Panel = (typeof PANELS)[number];

export function SessionView(): JSX.Element {
  const { id = '' } = useRoute().params;
  const state = useSession(id);
  const { session } = state;
  if (session !== null) return <OpenedSession key={id} state={{ ...state, session }} />;
  if (state.isMissing)
    return (
      <Empty icon="search" title="There is no such session" isPage>
        <p>It belongs to another account, or its events are no longer kept.</p>
        <a class="button" href="/dashboard/sessions">
          All sessions
        </a>
      </Empty>
    );
  return state.error === null ? (
    <Loading what="the session" />
  ) : (
    <Failed message={state.error} retry={state.reload} />
  );
}

type OpenedState = ReturnType<typeof useSession> & { readonly session: SessionData };

function OpenedSession({ state }: { state: OpenedState }): JSX.Element {
  const { session, events, reload } = state;
  const { query, path, route } = useLocation();
  const selected = /^\d+$/.test(query.event ?? '') ? Number(query.event) : null;
  const select = (seq: number | null) => route(seq === null ? path : `${path}?event=${seq}`, true);
  const isActive = session.status === 'ACTIVE';
  const isPast = selected !== null;

  const shown = selected ?? events.findLast(({ performed }) => performed?.observationId != null)?.seq ?? null;
  const { moment, error: momentError } = useMoment(session.id, shown);
  const space = moment?.observation?.space ?? (isPast ? null : session.space);
  const changes = useMemo(() => changesOf(moment), [moment]);
  const performing = usePerforming(session.id);
  const takeOver = useTakeOver(session);
  const keyboard = useRef<(() => void) | null>(null);
  const [panel, setPanel] = useState<Panel>('Actions');
  const [showsBoxes, setShowsBoxes] = useState(true);
  const [side, setSide] = useState<Side>('After');
  const [frame, setFrame] = useState<FrameData | null>(null);
  useSubscription(
    'DashFrames',
    isActive && session.url !== null ? session.id : null,
    () => ({ sessionId: session.id, maxWidth: PICTURE_WIDTH, quality: PICTURE_QUALITY }),
    { onNext: ({ sessionFrames }) => setFrame(sessionFrames) },
  );
  useEffect(() => {
    document.title = `${session.name ?? session.pageTitle ?? 'Session'} · pagespace`;
  }, [session.name, session.pageTitle]);
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.target instanceof Element && event.target.closest('input, textarea, select') !== null) return;
      if (event.key === 'b' && !event.ctrlKey && !event.metaKey) setShowsBoxes(before => !before);
    };
    addEventListener('keydown', toggle);
    return () => removeEventListener('keydown', toggle);
  }, []);

  // Nothing is performed while somebody else has the session.
  const isOthers = isPast || takeOver.isOthers;
  const isOff = isOthers || !isActive || performing.running.value !== null;
  const act = (action: ActionData) => {
    if (performing.running.value !== null) return;
    if (action.kind !== 'INPUT') {
      void performing.step(action.id);
      return;
    }
    setPanel('Actions');
    performing.opened.value = performing.opened.value === action.id ? null : action.id;
  };
  const hasList = space !== null || moment?.picture != null;
  const message = pictureMessage(session, hasList, isPast, momentError);
  const url = isPast ? (moment?.observation?.url ?? '') : (session.url ?? '');
  const shownEvent = selected === null ? undefined : events.find(({ seq }) => seq === selected);
  return (
    <section class="view session-view" aria-labelledby="view-title">
      <SessionHead session={session} events={events} reload={reload} takeOver={takeOver} />
      <div class="stage">
        <div class="stage-left">
          <ApprovalBar session={session} />
          <TakeOverBar session={session} takeOver={takeOver} openKeyboard={() => keyboard.current?.()} />
          <TabStrip tabs={session.tabs} performing={performing} isOff={isOff} />
          <div class="frame">
            <BrowserBar session={session} space={space} url={url} performing={performing} isPast={isOthers} />
            {isPast ? (
              <BeforeAfter
                sessionId={session.id}
                events={events}
                selected={selected}
                side={side}
                moment={moment}
                changes={changes}
                showsBoxes={showsBoxes}
                performing={performing}
                message={message}
              />
            ) : (
              <PagePicture
                frame={isActive ? frame : null}
                recorded={isActive ? null : (moment?.picture?.url ?? null)}
                actions={space?.actions ?? []}
                changes={changes}
                showsBoxes={showsBoxes && takeOver.sender === null}
                act={isOthers || !isActive ? null : act}
                performing={performing}
                label={`Live picture of ${session.pageTitle ?? 'the page'}`}
                message={message}
              >
                {takeOver.sender !== null && (
                  <InputLayer
                    size={frame ?? DEFAULT_SIZE}
                    send={(...events) => takeOver.sender?.send(...events)}
                    keyboard={keyboard}
                  />
                )}
              </PagePicture>
            )}
            {!isPast && <Picker takeOver={takeOver} openKeyboard={() => keyboard.current?.()} />}
            {session.dialog !== null && !isPast && (
              <PageDialog
                key={session.dialog.message}
                dialog={session.dialog}
                answer={
                  takeOver.sender?.answerDialog ??
                  (isOff
                    ? null
                    : (isAccepted, text) =>
                        void performing.step(isAccepted ? ACCEPT : DISMISS, { value: text }))
                }
              />
            )}
          </div>
          <TimelineStrip events={events} selected={selected} select={select} isActive={isActive} />
          {shownEvent !== undefined && <EventBanner event={shownEvent} side={side} setSide={setSide} />}
          <div class="stage-tools">
            <Check isOn={showsBoxes} set={setShowsBoxes}>
              Boxes <kbd class="wide-only">b</kbd>
            </Check>
            {space !== null && !isPast && isActive && (
              <SpecialActions space={space} performing={performing} isOff={isOff} />
            )}
          </div>
        </div>
        <aside class="panel" aria-label="The page as the agent gets it">
          <div class="panel-tabs" role="tablist" aria-label="Panels">
            {PANELS.map(each => (
              <button
                key={each}
                type="button"
                role="tab"
                id={`tab-${each}`}
                aria-selected={panel === each}
                aria-controls="panel"
                tabIndex={panel === each ? 0 : -1}
                onClick={() => setPanel(each)}
                onKeyDown={event => {
                  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
                  if (by === undefined) return;
                  const next =
                    PANELS[(PANELS.indexOf(panel) + by + PANELS.length) % PANELS.length] ?? 'Actions';
                  setPanel(next);
                  document.getElementById(`tab-${next}`)?.focus();
                }}
              >
                {each}
              </button>
            ))}
          </div>
          <div class="panel-content" id="panel" role="tabpanel" aria-labelledby={`tab-${panel}`}>
            {panel === 'Events' ? (
              <EventList
                events={events}
                selected={selected}
                select={select}
                isActive={isActive}
                session={session}
              />
            ) : panel === 'Files' ? (
              <FilesPanel session={session} reload={reload} />
            ) : panel === 'Console' ? (
              <ConsolePanel session={session} span={spanOf(events, selected)} />
            ) : panel === 'Network' ? (
              <NetworkPanel session={session} span={spanOf(events, selected)} />
            ) : panel === 'Changes' ? (
              <ChangesPanel moment={moment} space={space} />
            ) : space === null ? (
              <Empty icon="boxes" title="No list yet">
                <p>
                  {isPast
                    ? 'This event made no list.'
                    : 'Open an address: the actions of the page stand here.'}
                </p>
              </Empty>
            ) : panel === 'Text' ? (
              <PageText space={space} />
            ) : (
              <ActionList
                space={space}
                changes={changes}
                performing={performing}
                act={isOthers || !isActive ? null : act}
                uploads={session.uploads}
              />
            )}
          </div>
        </aside>
      </div>
    </section>
  );
}

function pictureMessage(
  { status, url }: SessionData,
  hasList: boolean,
  isPast: boolean,
  error: string | null,
): string | null {
  if (error !== null) return error;
  if (isPast) return hasList ? null : 'This event made no picture and no list.';
  if (status !== 'ACTIVE') return hasList ? null : 'The session has ended.';
  return url === null ? 'Enter an address above to open a page.' : null;
}

const changesOf = (moment: Moment | null): Changes => ({
  added: new Set(moment?.diff?.added.map(({ id }) => id)),
  changed: new Set(moment?.diff?.changed.map(({ id }) => id)),
});

interface SessionHeadProps {
  readonly session: SessionData;
  readonly events: readonly EventData[];
  readonly reload: () => void;
  readonly takeOver: TakeOverState;
}

function SessionHead({ session, events, reload, takeOver }: SessionHeadProps): JSX.Element {
  const run = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      notify(done);
      reload();
    } catch (error) {
      notifyFailure(error);
    }
  };
  const sessionId = session.id;
  const [isSharing, setSharing] = useState(false);
  const title =
    session.name ?? session.pageTitle ?? (session.url === null ? 'New session' : shortUrl(session.url));
  return (
    <header class="view-head">
      <a class="button quiet square" href="/dashboard/sessions" aria-label="All sessions">
        <Icon name="back" />
      </a>
      <div class="title-block">
        <h1 id="view-title">
          <bdi>{title}</bdi>
        </h1>
        <span class="sub">
          <SessionStatus session={session} />
          {session.labels.map(label => (
            <span key={label} class="chip">
              {label}
            </span>
          ))}
        </span>
      </div>
      <span class="spread" />
      <CopyButton text={sessionId} label="Copy id of the session">
        Copy id
      </CopyButton>
      <ExportMenu sessionId={sessionId} events={events} />
      {session.status === 'ACTIVE' && (
        <>
          <Button icon="link" onClick={() => setSharing(true)}>
            Share
          </Button>
          {isSharing && <ShareDialog sessionId={sessionId} onClose={() => setSharing(false)} />}
          {session.takeOver === null && <TakeOverButton takeOver={takeOver} />}
          <Button
            icon="clock"
            onClick={() =>
              run(() => request('DashExtend', { input: { sessionId } }), 'The idle time starts again.')
            }
          >
            Extend
          </Button>
          <Button
            kind="danger"
            icon="close"
            onClick={() =>
              run(() => request('DashClose', { input: { sessionId } }), 'The session is closed.')
            }
          >
            Close
          </Button>
        </>
      )}
    </header>
  );
}
