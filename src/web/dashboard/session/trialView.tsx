/** A page to try: an address, then its picture and its list side by side, how long each part took, and the calls to copy. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { errorText, request } from '../connection/http.ts';
import type { Operations } from '../generated/operations.ts';
import { Button, submits } from '../parts/button.tsx';
import { CallSnippets } from '../parts/callDialog.tsx';
import { Figures } from '../parts/figures.tsx';
import { durationText } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { NO_CHANGES, PagePicture } from './pagePicture.tsx';
import { usePerforming } from './performing.ts';

type Observation = Operations['DashTry']['result']['observe'];

interface Tried {
  readonly url: string;
  /** From the start of the session to its answer, in milliseconds. */
  readonly startMs: number;
  /** From the address to the picture and the list, in milliseconds. */
  readonly observeMs: number;
  readonly observation: Observation;
}

const LABEL = 'try it';

export function TrialView(): JSX.Element {
  const shop = document.documentElement.dataset.shop ?? null;
  const [tried, setTried] = useState<Tried | null>(null);
  const [state, setState] = useState<'ready' | 'starting' | 'opening'>('ready');
  const [error, setError] = useState<string | null>(null);
  const [address, setAddress] = useState(shop ?? '');
  const attempt = async (url: string) => {
    setError(null);
    setAddress(url);
    setState('starting');
    try {
      const begin = performance.now();
      const { startSession } = await request('DashStart', {
        input: { name: 'Try it', labels: [LABEL], record: 'STEPS' },
      });
      const started = performance.now();
      setState('opening');
      const { observe } = await request('DashTry', {
        input: { sessionId: startSession.id, url, screenshot: { take: true, format: 'JPEG', quality: 75 } },
      });
      setTried({
        url,
        startMs: started - begin,
        observeMs: performance.now() - started,
        observation: observe,
      });
    } catch (failure) {
      setError(errorText(failure));
    }
    setState('ready');
  };
  return (
    <section class="view" aria-labelledby="view-title">
      <header class="view-head">
        <h1 id="view-title">Try it</h1>
        <span class="sub wide-only">A page becomes a picture for you, and a list for your program.</span>
      </header>
      <div class="scroll trial">
        <form class="trial-form" onSubmit={submits(() => address.trim() !== '' && attempt(address.trim()))}>
          <input
            type="text"
            inputMode="url"
            aria-label="Address"
            placeholder="example.com"
            value={address}
            onInput={event => setAddress(event.currentTarget.value)}
          />
          <Button kind="primary large" type="submit" disabled={state !== 'ready'}>
            {state === 'starting'
              ? 'Starting a session…'
              : state === 'opening'
                ? 'Opening the page…'
                : 'Open'}
          </Button>
        </form>
        {shop !== null && (
          <p class="sub">
            No address at hand? The service has a shop to practise with:{' '}
            <button type="button" class="link" disabled={state !== 'ready'} onClick={() => attempt(shop)}>
              {shop}
            </button>
          </p>
        )}
        {error !== null && (
          <p class="banner bad" role="alert">
            <Icon name="warn" /> {error}
          </p>
        )}
        {tried !== null ? <Result tried={tried} /> : <Steps />}
      </div>
    </section>
  );
}

const Steps = (): JSX.Element => (
  <ol class="trial-steps">
    <li>
      <b>1</b>
      <h2>Open</h2>
      <p class="sub">A real browser opens the page in a session of its own.</p>
    </li>
    <li>
      <b>2</b>
      <h2>List</h2>
      <p class="sub">
        Your program gets a short list of what can be done, each with an id. No language model is involved.
      </p>
    </li>
    <li>
      <b>3</b>
      <h2>Act</h2>
      <p class="sub">It performs an action by its id, and gets what has changed.</p>
    </li>
  </ol>
);

function Result({ tried: { url, startMs, observeMs, observation } }: { tried: Tried }): JSX.Element {
  const { space, screenshot, metadata, session } = observation;
  const performing = usePerforming(session.id);
  return (
    <>
      <Figures
        of={[
          ['Session started in', durationText(startMs)],
          ['Page opened and listed in', durationText(observeMs)],
          ['Actions', space?.totalActions ?? 0],
          ['Tokens, about', Math.ceil((space?.markdown.length ?? 0) / 4)],
        ]}
      />
      <div class="trial-pair">
        <figure>
          <figcaption>
            <bdi>{metadata.title}</bdi>
          </figcaption>
          <div class="trial-picture">
            <PagePicture
              frame={null}
              recorded={screenshot === null ? null : `data:image/jpeg;base64,${screenshot}`}
              actions={space?.actions ?? []}
              changes={NO_CHANGES}
              showsBoxes
              act={null}
              performing={performing}
              label={`The page ${metadata.title}`}
              message={null}
            />
          </div>
        </figure>
        <figure>
          <figcaption>The same page as your program gets it</figcaption>
          <pre tabIndex={0}>{space?.markdown}</pre>
        </figure>
      </div>
      <div class="trial-next">
        <a class="button primary large" href={`/dashboard/sessions/${session.id}`}>
          <Icon name="play" /> Go on in this session
        </a>
        <span class="sub">Click the boxes, or call it from your program:</span>
      </div>
      <CallSnippets call={{ sessionId: null, actionId: null, value: url, enter: false }} />
    </>
  );
}
