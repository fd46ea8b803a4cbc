/** The switches that close Chromium's ways around the egress proxy, and keep it from reaching out on its own. */

/** One switch and why it is there. */
export interface LaunchFlag {
  readonly flag: string;
  readonly reason: string;
}

/** Playwright's list: Chromium takes only the last `--disable-features`, so ours must hold all of it (R-014 watches over that). */
const PLAYWRIGHT_DISABLED_FEATURES = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...[
    'AvoidCorsURLLoaderRestartOnRedirect',
    'TcpPortRandomizationWin',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
  ],
  ...[
    'AimEnabled',
    'PreconnectToSearch',
    'msForceBrowserSignIn',
    'msEdgeUpdateLaunchServicesPreferredVersion',
  ],
];

/** Makes WebRTC ask the local network, by multicast, for every candidate whose name ends in .local. */
const MDNS_FEATURE = 'WebRtcHideLocalIpsWithMdns';

/**
 * What every browser is started with, beside Playwright's own defaults. Headless shell has most of what would call home
 * left out; those switches are for full Chromium, which may be used instead.
 */
export const LAUNCH_FLAGS: readonly LaunchFlag[] = [
  {
    flag: '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    reason:
      'Chromium resolves nothing itself: names go to the proxy as names, and no look-up (prefetch, STUN, DNS over HTTPS) leaves by the side.',
  },
  { flag: '--dns-prefetch-disable', reason: 'No look-ups for links that nobody followed.' },
  {
    flag: '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    reason: 'WebRTC sends UDP past any HTTP proxy, to any address and port, unless it is told not to.',
  },
  {
    flag: '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    reason: 'The same switch by the name that full Chromium reads; headless shell reads the one above.',
  },
  { flag: '--disable-quic', reason: 'HTTP/3 and WebTransport are UDP, which an HTTP proxy cannot carry.' },
  {
    flag: `--disable-features=${[...PLAYWRIGHT_DISABLED_FEATURES, MDNS_FEATURE].join(',')}`,
    reason:
      'A page that names a peer x.local makes Chromium send multicast DNS, which no resolver rule stops. Its other use, hiding addresses of candidates, is moot: there are none.',
  },
  {
    flag: '--disable-background-networking',
    reason: 'Chromium calls home for updates, field trials and lists of bad sites.',
  },
  { flag: '--disable-component-update', reason: 'No components are fetched.' },
  { flag: '--disable-domain-reliability', reason: 'No error reports to sites that ask browsers for them.' },
  { flag: '--disable-client-side-phishing-detection', reason: 'No page is sent to a service for judging.' },
  { flag: '--safebrowsing-disable-auto-update', reason: 'No lists of bad sites are fetched.' },
  { flag: '--disable-sync', reason: 'No account, no syncing.' },
  { flag: '--disable-breakpad', reason: 'Crash reports hold memory of pages.' },
  { flag: '--disable-speech-api', reason: 'Speech is sent to a service to be recognised.' },
  {
    flag: '--deny-permission-prompts',
    reason: 'Nobody is there to answer: every permission is denied at once.',
  },
  { flag: '--no-first-run', reason: 'No welcome pages.' },
];

/** The switches as `chromium.launch({ args: launchFlags() })` takes them. */
export const launchFlags = (): string[] => LAUNCH_FLAGS.map(({ flag }) => flag);
