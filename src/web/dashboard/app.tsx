/** The shell of the dashboard: navigation, the state of the connection, and the view of the address. */

import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { apiKey, forgetKey, isSharedView } from './connection/access.ts';
import { request } from './connection/http.ts';
import { type ConnectionState, connectionState } from './connection/socket.ts';
import { useQuery } from './connection/useResource.ts';
import { Button } from './parts/button.tsx';
import { Icon, type IconName } from './parts/icons.tsx';
import { Notices } from './parts/notices.tsx';
import { Empty, Loading } from './parts/states.tsx';
import { SessionView } from './session/sessionView.tsx';
import { SharedView } from './session/sharedView.tsx';
import { SessionsView } from './sessions/sessionsView.tsx';
import { SignInView } from './signInView.tsx';

interface Place {
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
}

const PLACES: readonly Place[] = [
  { path: '/dashboard/sessions', icon: 'sessions', label: 'Sessions' },
  { path: '/dashboard/try', icon: 'try', label: 'Try it' },
  { path: '/dashboard/usage', icon: 'usage', label: 'Usage' },
  { path: '/dashboard/keys', icon: 'keys', label: 'Keys' },
];
/** Only the operator of the service has it. */
const SERVICE_PLACE: Place = { path: '/dashboard/operator', icon: 'service', label: 'Service' };

const UsageView = lazy(() => import('./account/usageView.tsx').then(({ UsageView }) => UsageView));
const KeysView = lazy(() => import('./account/keysView.tsx').then(({ KeysView }) => KeysView));
const OperatorView = lazy(() =>
  import('./account/operatorView.tsx').then(({ OperatorView }) => OperatorView),
);
const TrialView = lazy(() => import('./session/trialView.tsx').then(({ TrialView }) => TrialView));

/** The dashboard: the sign-in page without a key, else the shell. */
export const App = (): JSX.Element => (
  <>
    {isSharedView ? (
      <SharedView />
    ) : apiKey.value === null ? (
      <SignInView />
    ) : (
      <LocationProvider scope="/dashboard">
        <Shell>
          <Router>
            <Route path="/dashboard" component={Start} />
            <Route path="/dashboard/sessions" component={SessionsView} />
            <Route path="/dashboard/sessions/:id" component={SessionView} />
            <Route path="/dashboard/try" component={TrialView} />
            <Route path="/dashboard/usage" component={UsageView} />
            <Route path="/dashboard/keys" component={KeysView} />
            <Route path={SERVICE_PLACE.path} component={OperatorView} />
            <Route default component={Nowhere} />
          </Router>
        </Shell>
      </LocationProvider>
    )}
    <Notices />
  </>
);

/** Goes to the sessions; a newcomer, who has none, first to the page to try. */
function Start(): JSX.Element {
  const { route } = useLocation();
  const { data, error } = useQuery('DashSessions', { first: 1 });
  useEffect(() => {
    if (data?.sessions.totalCount === 0) route('/dashboard/try', true);
    else if (data !== null || error !== null) route('/dashboard/sessions', true);
  }, [data, error]);
  return <Loading what="your sessions" />;
}

const Nowhere = (): JSX.Element => (
  <Empty icon="search" title="There is no such page" isPage>
    <a class="button" href="/dashboard/sessions">
      Sessions
    </a>
  </Empty>
);

function Shell({ children }: { children: ComponentChildren }): JSX.Element {
  const { path } = useLocation();
  const { data } = useQuery('DashViewer', {});
  const account = data?.viewer.account;
  const isOperator = account?.tier === 'LOCAL' && data?.viewer.scopes.includes('ADMIN') === true;
  const places = isOperator ? [...PLACES, SERVICE_PLACE] : PLACES;
  useEffect(() => {
    const place = [...PLACES, SERVICE_PLACE].find(each => path === each.path);
    if (place !== undefined) document.title = `${place.label} · pagespace`;
  }, [path]);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <nav class="side" aria-label="Dashboard">
        <a class="brand" href="/dashboard/sessions">
          <span class="brand-mark" aria-hidden="true" /> <span class="brand-name">pagespace</span>
        </a>
        <ul>
          {places.map(place => (
            <li key={place.path}>
              <a href={place.path} aria-current={path.startsWith(place.path) ? 'page' : undefined}>
                <Icon name={place.icon} />
                <span>{place.label}</span>
              </a>
            </li>
          ))}
        </ul>
        <span class="spread" />
        <Connection state={connectionState.value} />
        <div class="who">
          <span class="who-name" title={account?.name}>
            <bdi>{account?.name ?? ' '}</bdi>
            <span class="sub">
              {account === undefined ? ' ' : account.tier.toLowerCase().replaceAll('_', ' ')}
            </span>
          </span>
          <Button
            kind="quiet square"
            label="Sign out"
            title="Sign out"
            onClick={() => signOut(data?.viewer.keyId)}
          >
            <Icon name="signOut" />
          </Button>
        </div>
      </nav>
      <main id="content" class="content" tabIndex={-1}>
        {connectionState.value === 'offline' && (
          <p class="banner bad" role="status">
            You are offline. What you see is as it was; it goes on when the network is back.
          </p>
        )}
        {children}
      </main>
    </div>
  );
}

const CONNECTIONS: Readonly<Record<ConnectionState, { readonly word: string; readonly tone: string }>> = {
  idle: { word: 'Ready', tone: 'idle' },
  connecting: { word: 'Connecting…', tone: 'soon' },
  open: { word: 'Live', tone: 'working' },
  reconnecting: { word: 'Reconnecting…', tone: 'soon' },
  offline: { word: 'Offline', tone: 'bad' },
};

function Connection({ state }: { state: ConnectionState }): JSX.Element {
  const { word, tone } = CONNECTIONS[state];
  return (
    <p class={`connection status ${tone}`} role="status">
      <span class="dot" aria-hidden="true" />
      <span class="word">{word}</span>
    </p>
  );
}

/** Keys that the dashboard made for a visit: signing out revokes them, so that they do not pile up. */
const VISIT_KEYS = new Set(['dashboard', 'dashboard on this machine']);

async function signOut(keyId: string | undefined): Promise<void> {
  const key = apiKey.value;
  forgetKey();
  if (keyId === undefined || key === null) return;
  try {
    const { viewer } = await request('DashKeys', {}, key);
    const own = viewer.account.keys.find(({ id }) => id === keyId);
    if (own !== undefined && VISIT_KEYS.has(own.name)) await request('DashRevokeKey', { id: keyId }, key);
  } catch {
    // The visit has ended here all the same: a key that could not be revoked expires within a day.
  }
}
