/**
 * Ports from 1024 up that pages may not use: their servers are not web servers, and a forged request can harm them. First
 * group: "bad ports" of the Fetch standard (fetch.spec.whatwg.org/#port-blocking), which browsers also refuse. Second:
 * databases and caches. Third: control interfaces of clusters and desktops.
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
 * Returns true for a port that pages may use without an allow rule: 80, 443 and all from 1024 except
 * `CLOSED_PORTS_FROM_1024`. The other ports below 1024 belong to mail, file sharing, remote shells and directories.
 */
export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !CLOSED_PORTS_FROM_1024.has(port));
