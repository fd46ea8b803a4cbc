/**
 * Ports from 1024 up whose servers are not web servers, and which a forged request can harm. First line: "bad ports" of
 * the Fetch standard (fetch.spec.whatwg.org/#port-blocking), which browsers also refuse. The others: databases, caches,
 * control interfaces of clusters and desktops.
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
 * True for a port that pages may use: 80, 443 and all from 1024 except the listed ones. All others below 1024 (mail,
 * file sharing, remote shells, directories) are refused, unless an allow rule contains the port.
 */
export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !CLOSED_PORTS_FROM_1024.has(port));
