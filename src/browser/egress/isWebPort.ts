/** Which ports a page may speak to. */

/**
 * Ports from 1024 up on which no web server stands, but a server that a forged request can hurt.
 * First line: "bad ports" of the Fetch standard (fetch.spec.whatwg.org/#port-blocking), which browsers refuse as well.
 * The others: databases, caches, cluster and desktop control.
 */
const CLOSED_PORTS_FROM_1024 = new Set([
  ...[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
    6697, 10080,
  ],
  ...[1433, 1521, 3306, 5432, 6379, 9042, 11211, 27017, 27018],
  ...[2375, 2376, 2379, 2380, 3389, 5900, 5985, 5986, 10250, 10255],
]);

/**
 * Whether a port is one of the web's: 80, 443 and all from 1024 but the listed ones. Everything else below 1024
 * (mail, file sharing, remote shells, directories) is closed. An allow rule that names a port opens it.
 */
export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !CLOSED_PORTS_FROM_1024.has(port));
