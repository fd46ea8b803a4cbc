export const COLOR_SCHEMES = ['light', 'dark', 'no-preference'] as const;
export type ColorScheme = (typeof COLOR_SCHEMES)[number];

export const REDUCED_MOTIONS = ['reduce', 'no-preference'] as const;
export type ReducedMotion = (typeof REDUCED_MOTIONS)[number];

/** Permissions that a session can get. None of them reaches what sessions share, such as the clipboard of the machine. */
export const PERMISSIONS = [
  'geolocation',
  'camera',
  'microphone',
  'storage-access',
  'accelerometer',
  'gyroscope',
  'magnetometer',
  'ambient-light-sensor',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const BLOCKED_KINDS = ['media', 'fonts', 'images', 'ads', 'trackers'] as const;
export type BlockedKind = (typeof BLOCKED_KINDS)[number];

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

export interface Geolocation {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Metres. */
  readonly accuracy?: number;
}

export interface OriginHeader {
  /** As in `URL.origin`. */
  readonly origin: string;
  readonly name: string;
  readonly value: string;
}

/** The answer to a 401 of one origin. */
export interface HttpCredentials {
  readonly origin: string;
  readonly username: string;
  readonly password: string;
}

/** A cookie as Playwright's storage state has it. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** Seconds since the epoch; -1 for a cookie of the session. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
}

export interface StorageState {
  readonly cookies: readonly Cookie[];
  readonly origins: readonly {
    readonly origin: string;
    readonly localStorage: readonly { readonly name: string; readonly value: string }[];
    /** The databases as Playwright writes them; absent for none. */
    readonly indexedDB?: readonly unknown[];
  }[];
}

export interface ProfileChoice {
  readonly name: string;
  readonly mode: 'read' | 'write';
}

/** Options that can also change while the session runs. An absent one keeps what it is. */
export interface ChangeableOptions {
  readonly viewport?: Viewport;
  readonly geolocation?: Geolocation;
  readonly permissions?: readonly Permission[];
  readonly headers?: readonly OriginHeader[];
  readonly cookies?: readonly Cookie[];
  readonly block?: readonly BlockedKind[];
}

export interface BrowserOptions extends ChangeableOptions {
  /** A name of Playwright's table of devices. */
  readonly device?: string;
  readonly userAgent?: string;
  /** BCP 47: `de-DE`. */
  readonly locale?: string;
  /** IANA: `Europe/Berlin`. */
  readonly timezone?: string;
  readonly colorScheme?: ColorScheme;
  readonly reducedMotion?: ReducedMotion;
  /** True to refuse what consent banners ask for. */
  readonly dismissBanners?: boolean;
  readonly httpCredentials?: readonly HttpCredentials[];
  readonly storageState?: StorageState;
}

/** The options as the session tells them: without the values of headers, credentials, cookies and storage. */
export interface ShownOptions
  extends Omit<BrowserOptions, 'headers' | 'httpCredentials' | 'cookies' | 'storageState'> {
  readonly headers?: readonly { readonly origin: string; readonly name: string }[];
  readonly httpCredentials?: readonly { readonly origin: string; readonly username: string }[];
  /** Maximum lifetime of the session that the caller chose. */
  readonly maxLifetimeMinutes?: number;
  readonly profile?: ProfileChoice;
}

/** Null if no option is left. */
export function shownOptions(options: BrowserOptions): ShownOptions | null {
  const { headers, httpCredentials, cookies: _cookies, storageState: _state, ...others } = options;
  const shown: ShownOptions = {
    ...others,
    ...(headers !== undefined && { headers: headers.map(({ origin, name }) => ({ origin, name })) }),
    ...(httpCredentials !== undefined && {
      httpCredentials: httpCredentials.map(({ origin, username }) => ({ origin, username })),
    }),
  };
  return Object.keys(shown).length === 0 ? null : shown;
}

/** Names of headers whose values are secrets. */
const SECRET_HEADER = /auth|cookie|key|passw|secret|session|signature|token/i;

/** Returns the values of the options that no answer of the session may contain. */
export const secretsOf = ({ headers = [], httpCredentials = [] }: BrowserOptions): readonly string[] => [
  ...httpCredentials.map(({ password }) => password),
  ...headers
    .filter(({ name }) => SECRET_HEADER.test(name))
    // The scheme before the secret is none: `Bearer …`.
    .map(({ value }) => value.replace(/^(?:Basic|Bearer|Token) /i, '')),
];
