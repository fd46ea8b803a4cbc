/** Command-line switches that prevent Chromium from bypassing the egress proxy, and stop its own network requests. */

/** A command-line switch of Chromium, and why every browser gets it. */
export interface LaunchFlag {
  readonly flag: string;
  readonly reason: string;
}

/**
 * The features that Playwright disables by default. Chromium uses only the last `--disable-features`, so our switch
 * must repeat the whole list; test R-014 checks this.
 */
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

/**
 * A Chromium feature that makes WebRTC send multicast queries to the local network for every ICE candidate whose name
 * ends in .local.
 */
const MDNS_FEATURE = 'WebRtcHideLocalIpsWithMdns';

/**
 * A feature that Playwright enables: a screenshot gets a surface of its own, and Chromium itself ends, with all its sessions, if the process
 * of the page ends before the picture is taken.
 */
const SCREENSHOT_SURFACE_FEATURE = 'CDPScreenshotNewSurface';

/** Interfaces that pages do not get. */
const DISABLED_INTERFACES = [
  // No user can answer showOpenFilePicker, showSaveFilePicker and showDirectoryPicker: pages use file inputs and downloads.
  'FileSystemAccessLocal',
  // Tells a page without a permission how busy the processors are, and so what the sessions of other accounts do.
  'ComputePressure',
  // Advertising: the browser itself would request updates of interest groups, and run auctions, after the page is gone.
  ...['AdInterestGroupAPI', 'Fledge', 'FencedFrames', 'PrivateStateTokens'],
];

const RESOLVER_SWITCH = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ';

/**
 * The switches that every browser gets, in addition to Playwright's defaults. Most of the features that send requests
 * of their own are not in headless shell; the switches against them are for full Chromium.
 */
export const LAUNCH_FLAGS: readonly LaunchFlag[] = [
  {
    flag: `${RESOLVER_SWITCH}127.0.0.1`,
    reason:
      'Chromium resolves no names: the proxy receives the names, and no lookup (prefetch, STUN, DNS over HTTPS) bypasses it.',
  },
  { flag: '--dns-prefetch-disable', reason: 'No DNS lookups for links that were not followed.' },
  {
    flag: '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    reason: 'Without it WebRTC sends UDP to any address and port, past the HTTP proxy.',
  },
  {
    flag: '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    reason: 'The same switch under the name that full Chromium reads; headless shell reads the one above.',
  },
  { flag: '--disable-quic', reason: 'HTTP/3 and WebTransport are UDP, which an HTTP proxy cannot carry.' },
  {
    flag: `--disable-features=${[...PLAYWRIGHT_DISABLED_FEATURES, MDNS_FEATURE, SCREENSHOT_SURFACE_FEATURE].join(',')}`,
    reason:
      'A page that names a peer x.local makes Chromium send multicast DNS, which no resolver rule stops. The feature also hides the addresses of candidates, but there are none. A page that ends while its picture is taken would end the whole browser.',
  },
  {
    flag: '--disable-background-networking',
    reason: 'Otherwise Chromium requests updates, field trials and lists of dangerous sites.',
  },
  { flag: '--disable-component-update', reason: 'No downloads of components.' },
  {
    flag: '--disable-domain-reliability',
    reason: 'No error reports to sites that request them from browsers.',
  },
  {
    flag: '--disable-client-side-phishing-detection',
    reason: 'No page is sent to a classification service.',
  },
  { flag: '--safebrowsing-disable-auto-update', reason: 'No downloads of lists of dangerous sites.' },
  { flag: '--disable-sync', reason: 'No synchronisation with an account.' },
  { flag: '--disable-breakpad', reason: 'Crash reports contain memory of pages.' },
  { flag: '--disable-speech-api', reason: 'Speech recognition sends audio to a service.' },
  {
    flag: '--deny-permission-prompts',
    reason: 'No user can answer a prompt: every permission is denied at once.',
  },
  {
    flag: `--disable-blink-features=${DISABLED_INTERFACES.join(',')}`,
    reason:
      'Interfaces of pages that no session can use, or that tell of other sessions; Chromium uses only the last such switch.',
  },
  {
    flag: '--webgl-antialiasing-mode=none',
    reason:
      'Without a graphics card a WebGL context with smooth edges takes four times the memory of the GPU process, and three times the processor time.',
  },
  {
    flag: '--disable-gpu-process-crash-limit',
    reason:
      'Without it the sixth end of the GPU process within minutes ends the browser with all its sessions; a page can cause such ends.',
  },
  { flag: '--no-first-run', reason: 'No welcome pages.' },
];

/**
 * Returns the switches of LAUNCH_FLAGS, for the option `args` of `chromium.launch`.
 * @param proxies the addresses of the session proxies: an IP address or a pattern of Chromium. Default: 127.0.0.1
 */
export const launchFlags = (proxies = '127.0.0.1'): string[] =>
  LAUNCH_FLAGS.map(({ flag }) => (flag.startsWith(RESOLVER_SWITCH) ? `${RESOLVER_SWITCH}${proxies}` : flag));
