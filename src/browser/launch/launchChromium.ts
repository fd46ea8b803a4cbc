/** Starts one Chromium. Its only connection to the network is the egress proxy. Its sandbox is on wherever it can run. */

import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { type Browser, chromium } from 'playwright';
import { chromiumOutputOf, IPC_FLOODING_ARGUMENT, isSandboxUnavailable } from '../cdp/playwrightInternals.ts';
import { BLANK_HINTS_FEATURE, userAgentFlags } from '../cdp/userAgent.ts';
import type { EgressProxy } from '../egress/startEgressProxy.ts';
import type { ProtocolRateLimits } from '../limits/protocolRateLimiter.ts';
import type { OuterSandbox } from '../sandbox/outerSandbox.ts';
import type { SandboxedLaunch } from '../sandbox/sandboxedLaunch.ts';
import { launchWithPipeFilter } from './pipeFilter.ts';

interface LaunchFlag {
  readonly flag: string;
  readonly reason: string;
}

/** Chromium uses only the last `--disable-features`, so our switch must repeat the whole list; test R-014 checks this. */
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

/** Makes WebRTC send multicast queries to the local network for every ICE candidate whose name ends in .local. */
const MDNS_FEATURE = 'WebRtcHideLocalIpsWithMdns';

/** With it a screenshot has a surface of its own: Chromium ends, with all its sessions, if the page's process ends before the picture. */
export const SCREENSHOT_SURFACE_FEATURE = 'CDPScreenshotNewSurface';

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

/** The mouse that Playwright gives a browser without windows. */
const PLAYWRIGHT_BLINK_SETTINGS = [
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
];
/** A lazy frame at most 20,000 CSS pixels below the window is loaded, whatever speed Chromium estimates for the network. */
const LAZY_FRAME_SETTINGS = ['Unknown', 'Offline', 'Slow2G', '2G', '3G', '4G'].map(
  network => `lazyLoadingFrameMarginPx${network}=20000`,
);

/** In addition to Playwright's defaults. Those against features that send requests of their own are for full Chromium. */
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
    flag: `--enable-features=SkipListAccountsWithoutGaiaCookies,${BLANK_HINTS_FEATURE}`,
    reason:
      'No client hints name headless shell. Chromium uses only the last such switch: the other feature is one that Playwright turns on.',
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
  {
    flag: `--blink-settings=${[...PLAYWRIGHT_BLINK_SETTINGS, 'defaultTextEncodingName=UTF-8', ...LAZY_FRAME_SETTINGS].join(',')}`,
    reason:
      'A page that names no charset is UTF-8, unless Chromium detects another. A lazy frame far below is loaded as if someone had scrolled near it. Chromium uses only the last such switch.',
  },
  { flag: '--no-first-run', reason: 'No welcome pages.' },
];

/** @param proxies the addresses of the session proxies: an IP address or a pattern of Chromium */
export const launchFlags = (proxies = '127.0.0.1'): string[] =>
  LAUNCH_FLAGS.map(({ flag }) => (flag.startsWith(RESOLVER_SWITCH) ? `${RESOLVER_SWITCH}${proxies}` : flag));

const MAX_OUTPUT_LINES = 10;

const SANDBOX_HELP = `Chromium's sandbox cannot run here: it needs a user other than root who is allowed to create user namespaces.
Run the service as such a user (Ubuntu 23.10 and later forbid user namespaces by AppArmor; for containers see docs/container.md), or set
PAGESPACE_CHROMIUM_SANDBOX=off to run without the sandbox: a page that breaks out of the browser then has the rights of this process.`;

/** Converts the error of a failed `chromium.launch` to one with a message for the operator; its `cause` is the original error. */
function toLaunchError(error: unknown, executablePath: string): Error {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  if (isSandboxUnavailable(text)) return new Error(SANDBOX_HELP, { cause: error });
  const output = chromiumOutputOf(text)
    .map(line => `  ${line}`)
    .slice(-MAX_OUTPUT_LINES);
  const [first = ''] = text.replace(/^browserType\.launch: /, '').split('\n');
  const lines = [`Chromium (${executablePath}) did not start: ${first}`, ...output];
  return new Error(lines.join('\n'), { cause: error });
}

export type SandboxSetting = 'auto' | 'on' | 'off';

export interface LaunchOptions {
  readonly executablePath: string;
  readonly sandbox: SandboxSetting;
  readonly egress: EgressProxy;
  /** Command-line switches of this browser, in addition to those that every browser gets. */
  readonly flags: readonly string[];
  /** Limits of the protocol events that the pages of one session cause. Default: PROTOCOL_RATE_LIMITS. */
  readonly protocolRateLimits?: ProtocolRateLimits;
  /** Walls around the whole browser; null for none. Default: null. */
  readonly outerSandbox?: OuterSandbox | null;
}

const SANDBOXES = new WeakMap<Browser, SandboxedLaunch>();

export const sandboxOf = (browser: Browser): SandboxedLaunch | null => SANDBOXES.get(browser) ?? null;

/** Else pages write to the browser's standard error, of which Playwright keeps the last fifty lines, however long. */
const NO_LOGGING_FLAG = '--enable-logging=none';

const LAUNCH_TIMEOUT_MS = 30_000;

/** Also matches host names such as `127.example.org`, but a namespace has no resolver that Chromium could ask for them. */
const NAMESPACE_PROXIES = '127.*';

/** `auto` means on, except for root, as whom it cannot run. @param userId the user of the browser; null for that of the service */
export const usesSandbox = (setting: SandboxSetting, userId: number | null = null): boolean =>
  setting === 'on' || (setting === 'auto' && (userId ?? process.getuid?.()) !== 0);

/** It reaches the network only through the egress proxy. @throws Error with Chromium's output when it does not start */
export async function launchChromium(options: LaunchOptions): Promise<Browser> {
  const sandbox = (await options.outerSandbox?.prepare()) ?? null;
  const agentFlags = await userAgentFlags(options.executablePath);
  // Chromium ignores this switch; it identifies the process.
  const markerFlag = `--pagespace-pipe=${randomUUID()}`;
  const start = () =>
    chromium.launch({
      executablePath: sandbox?.executablePath ?? options.executablePath,
      ...(sandbox !== null && { downloadsPath: sandbox.folder }),
      headless: true,
      chromiumSandbox: usesSandbox(options.sandbox, sandbox?.userId),
      args: [
        ...launchFlags(sandbox?.listener ? NAMESPACE_PROXIES : '127.0.0.1'),
        NO_LOGGING_FLAG,
        ...agentFlags,
        markerFlag,
        ...options.flags,
      ],
      // Chromium's limit of URL changes stays on: each change delays every other session in the browser.
      ignoreDefaultArgs: [IPC_FLOODING_ARGUMENT],
      proxy: options.egress.proxy,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_TIMEOUT_MS,
    });
  try {
    const browser = await launchWithPipeFilter(markerFlag, start, options.protocolRateLimits);
    if (sandbox !== null) {
      SANDBOXES.set(browser, sandbox);
      browser.on('disconnected', () => void sandbox.close());
    }
    return browser;
  } catch (error) {
    await sandbox?.close();
    throw toLaunchError(error, options.executablePath);
  }
}
