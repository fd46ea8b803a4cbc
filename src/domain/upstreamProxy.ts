/** A proxy of the caller's own, through which a session's pages reach the web. */

export const PROXY_PROTOCOLS = ['http', 'https', 'socks5'] as const;
export type ProxyProtocol = (typeof PROXY_PROTOCOLS)[number];

/** Where it is and who asks. The password is told to nobody but the proxy. */
export interface UpstreamProxy {
  readonly protocol: ProxyProtocol;
  /** A name or an address; no brackets. */
  readonly host: string;
  readonly port: number;
  readonly credentials: { readonly username: string; readonly password: string } | null;
}

const DEFAULT_PORTS: Readonly<Record<ProxyProtocol, number>> = { http: 80, https: 443, socks5: 1080 };

/** @returns the proxy at an address such as `http://proxy.example:3128`; null where it is none */
export function parseProxyUrl(server: string): Omit<UpstreamProxy, 'credentials'> | null {
  const [, scheme, place] = /^(\w+):\/\/([^/?#@\\\s]+)\/?$/.exec(server.trim()) ?? [];
  const protocol = PROXY_PROTOCOLS.find(known => known === scheme?.toLowerCase());
  // Read as http, whatever it is: only of the web's schemes are hosts brought into one form. It hides port 80, so 80 is the default.
  const url = protocol === undefined ? null : URL.parse(`http://${place}/`);
  if (protocol === undefined || url === null || url.hostname === '') return null;
  const hasPort = /:\d+$/.test(place ?? '');
  const port = url.port !== '' ? Number(url.port) : hasPort ? 80 : DEFAULT_PORTS[protocol];
  return port === 0
    ? null
    : { protocol, host: url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''), port };
}

/** The proxy's address without who asks: fit for messages. */
export const formatProxyUrl = ({ protocol, host, port }: Omit<UpstreamProxy, 'credentials'>): string =>
  `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
