/** The policy of an API key: the hosts, methods, steps, profiles and vault entries that its sessions may use, and its budgets. */

/** Kinds of steps that a policy can refuse. A step can be of several. */
export const STEP_KINDS = ['write', 'submit', 'upload', 'download', 'vault'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** The rules of a key; an absent one allows everything. */
export interface KeyPolicy {
  /** Patterns of the hosts that may be reached, as `parseHostPattern` returns them. */
  readonly allowHosts?: readonly string[];
  /** Patterns of hosts that may not, although `allowHosts` has them. */
  readonly denyHosts?: readonly string[];
  /** The methods of requests, in upper case. GET includes HEAD and OPTIONS. */
  readonly methods?: readonly string[];
  readonly denySteps?: readonly StepKind[];
  readonly requireApproval?: readonly StepKind[];
  /** Time for which they wait. Default: DEFAULT_APPROVAL_MINUTES. */
  readonly approvalMinutes?: number;
  readonly profiles?: readonly string[];
  readonly vaultEntries?: readonly string[];
  /** Browser minutes a day (UTC). */
  readonly minutesPerDay?: number;
  /** Charges a day (UTC), in micro-units. */
  readonly microsPerDay?: number;
}

export interface NetworkPolicy {
  /** Returns why a host may not be reached, as a clause; null if it may. @param host in lower case, without a dot at the end */
  readonly hostRefusal: (host: string) => string | null;
  readonly methods: readonly string[] | null;
  readonly refusesDownloads: boolean;
}

export const DEFAULT_APPROVAL_MINUTES = 5;
export const MAX_APPROVAL_MINUTES = 60;

const SAFE_METHODS = ['GET'];
/** Stands for `*` while a host is parsed. */
const STAR = 'pagespacestar0';

/**
 * Parses a pattern of hosts: a host name or an IP address, in which `*` stands for any characters: `*.example.com` is every subdomain, not
 * `example.com`. International names become Punycode; a dot at the end is left out.
 * @returns null if it is none, or has `*` in its last label (except `*` alone)
 */
export function parseHostPattern(text: string): string | null {
  const pattern = text.trim().toLowerCase().replace(/\.$/, '');
  if (pattern === '*') return pattern;
  if (pattern === '' || /[\s/@?#%\\]/.test(pattern)) return null;
  const labels = pattern.split('.');
  if (labels.at(-1)?.includes('*') || labels.some(each => /\*/.test(each) && /[^\x20-\x7e]/.test(each)))
    return null;
  const host = /^[0-9a-f:.]*:[0-9a-f:.]*$/.test(pattern) ? `[${pattern}]` : pattern;
  const url = URL.parse(`http://${host.replaceAll('*', STAR)}/`);
  if (url === null || url.port !== '' || url.hostname === '') return null;
  return url.hostname.replace(/^\[|\]$/g, '').replaceAll(STAR, '*');
}

/** Returns true if a pattern has the host. @param host in lower case, without a dot at the end */
export function matchesHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  // No regular expression: the time of one with many stars grows exponentially.
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return host === pattern;
  if (host.length < pattern.length || !host.startsWith(first) || !host.endsWith(last)) return false;
  const end = host.length - last.length;
  let at = first.length;
  for (const part of parts) {
    const found = host.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Returns why the policy does not allow a host, as a clause; null if it does. */
export function hostRefusal({ allowHosts, denyHosts = [] }: KeyPolicy, host: string): string | null {
  if (denyHosts.some(pattern => matchesHost(pattern, host)))
    return `the policy of the API key denies the host ${host}`;
  if (allowHosts === undefined || allowHosts.some(pattern => matchesHost(pattern, host))) return null;
  return `the policy of the API key does not allow the host ${host}`;
}

export const allowsMethod = (methods: readonly string[] | null, method: string): boolean =>
  methods === null ||
  methods.includes(method) ||
  (methods.includes('GET') && (method === 'HEAD' || method === 'OPTIONS'));

export const methodRefusal = (method: string): string =>
  `the policy of the API key does not allow the method ${method}`;

/** Returns why a request may not be sent, as a clause; null if it may. @param method null if it is unknown */
export const requestRefusal = (
  { hostRefusal: refusalOf, methods }: NetworkPolicy,
  host: string,
  method: string | null,
): string | null =>
  refusalOf(host) ?? (method === null || allowsMethod(methods, method) ? null : methodRefusal(method));

/** Returns the part of the policy that holds in the network; null without a policy. */
export function networkPolicyOf(policy: KeyPolicy | undefined): NetworkPolicy | null {
  if (policy === undefined) return null;
  const { methods, denySteps = [] } = policy;
  const changesNothing = denySteps.includes('write') || denySteps.includes('submit');
  const allowed = changesNothing ? SAFE_METHODS.filter(each => methods?.includes(each) ?? true) : methods;
  return {
    hostRefusal: host => hostRefusal(policy, host),
    methods: allowed ?? null,
    refusesDownloads: denySteps.includes('download'),
  };
}
