/** The endpoints that a page sends requests to. */
import { hash } from 'node:crypto';
import { RequestSeries } from './requestSeries.ts';

/** Maximum number of endpoints remembered; beyond it the oldest are forgotten. */
const MAX_ENDPOINTS = 1_000;
/** Maximum length of a URL that is stored as it is; of a longer one, the hash is stored. Characters. */
const MAX_URL_LENGTH = 500;
/** Maximum number of places in the code of a page that are remembered for one endpoint. */
const MAX_SERIES = 16;

/** The observations of the requests with the same method, host and path. */
export interface Endpoint {
  /** Number of requests that the page sent while no operation ran. */
  ownCount: number;
  /** Number of long polls that the page sent again by itself. */
  continuationCount: number;
  /** Number of responses in a row that did not end in time. */
  endlessCount: number;
  lastStartedAt: number;
  lastEndedAt: number;
  /** Duration of the last request that ended, and the number of it. */
  lastDurationMs: number;
  /** The code that sent the last request: see `callSiteOf`. */
  lastSite: string;
  /** The requests, by the code that sends them. */
  readonly series: Map<string, RequestSeries>;
  /** Time between the last two requests that the page sent by itself; null before the second one. */
  periodMs: number | null;
}

/** The endpoints of one page. */
export class Endpoints {
  readonly #endpoints = new Map<string, Endpoint>();

  /** Forgets all of them. */
  clear(): void {
    this.#endpoints.clear();
  }

  values(): IteratorObject<Endpoint> {
    return this.#endpoints.values();
  }

  /** Returns the endpoint of a request. */
  of(method: string, url: string): Endpoint {
    const address = `${method} ${url.split(/[?#]/, 1)[0] ?? ''}`;
    // A substring would keep the long URL in memory.
    const key = url.length <= MAX_URL_LENGTH ? address : hash('sha1', address);
    const known = this.#endpoints.get(key);
    if (known !== undefined) return known;
    const endpoint: Endpoint = {
      ownCount: 0,
      continuationCount: 0,
      endlessCount: 0,
      lastStartedAt: Number.NEGATIVE_INFINITY,
      lastEndedAt: Number.NEGATIVE_INFINITY,
      lastDurationMs: 0,
      lastSite: '',
      series: new Map(),
      periodMs: null,
    };
    if (this.#endpoints.size >= MAX_ENDPOINTS)
      this.#endpoints.delete(this.#endpoints.keys().next().value ?? '');
    this.#endpoints.set(key, endpoint);
    return endpoint;
  }
}

/** Returns the requests to an endpoint that the same code sends. @param site see `callSiteOf` */
export function seriesOf({ series }: Endpoint, site: string): RequestSeries {
  const known = series.get(site);
  if (known !== undefined) return known;
  const created = new RequestSeries(site !== '');
  if (series.size >= MAX_SERIES) series.delete(series.keys().next().value ?? '');
  series.set(site, created);
  return created;
}
