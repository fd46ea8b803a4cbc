const PROXY_PROTOCOLS = ['http', 'https', 'socks5'] as const;
export type ProxyProtocol = (typeof PROXY_PROTOCOLS)[number];

/** Address and credentials of the caller's own proxy, through which the pages of a session access the web. */
export interface UpstreamProxy {
  readonly protocol: ProxyProtocol;
  /** A host name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** User name and password, sent only to the proxy; null for a proxy without. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
}

const DEFAULT_PORTS: Readonly<Record<ProxyProtocol, number>> = { http: 80, https: 443, socks5: 1080 };

/** Parses the URL of a proxy, such as `http://proxy.example:3128`. Returns null if it is not valid. */
export function parseProxyUrl(server: string): Omit<UpstreamProxy, 'credentials'> | null {
  const [, scheme, authority] = /^(\w+):\/\/([^/?#@\\\s]+)\/?$/.exec(server.trim()) ?? [];
  const protocol = PROXY_PROTOCOLS.find(known => known === scheme?.toLowerCase());
  // URL normalises host names only for the schemes of the web, so parse it as http. That removes port 80.
  const url = protocol === undefined ? null : URL.parse(`http://${authority}/`);
  if (protocol === undefined || url === null || url.hostname === '') return null;
  const hasPort = /:\d+$/.test(authority ?? '');
  const port = url.port !== '' ? Number(url.port) : hasPort ? 80 : DEFAULT_PORTS[protocol];
  return port === 0
    ? null
    : { protocol, host: url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''), port };
}

export const formatProxyUrl = ({ protocol, host, port }: Omit<UpstreamProxy, 'credentials'>): string =>
  `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
