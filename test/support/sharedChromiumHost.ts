/**
 * The browsers of a worker: services whose tests examine pages, not browsers, open their sessions in the same Chromium, because a
 * start of Chromium takes about as much processor time as ten short tests.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Semaphore } from '../../src/async/fairTurns.ts';
import { shuttingDown } from '../../src/browser/pool/browserPool.ts';
import { ChromiumHost, createCapacityQueue } from '../../src/browser/pool/chromiumHost.ts';
import type { ChromiumHostOptions } from '../../src/browser/pool/pooledContext.ts';
import type {
  BrowserHost,
  BrowserLease,
  LeaseListener,
  OpenContextOptions,
} from '../../src/domain/ports/browserHost.ts';
import type { SessionFileStore } from '../../src/domain/ports/sessionFileStore.ts';
import { PROGRAM_FOLDER_VARIABLE } from './bundledProgram.ts';

/** More sessions than the services of a worker have at once: each service limits its own. */
const CAPACITY = 1_000;

/** The options that belong to one service. */
type OwnOptions = Pick<
  ChromiumHostOptions,
  'capacity' | 'maxWaiting' | 'waitTimeoutMs' | 'files' | 'now' | 'warn'
>;

let running: Promise<ChromiumHost> | null = null;
/** The services that use the host, the newest one last. */
const services: OwnOptions[] = [];
/** The files of each session. */
const filesBySession = new Map<string, SessionFileStore>();

/** The part of a service in the host of its worker. `close` ends the sessions of the service, and no browser. */
class SharedChromiumHost implements BrowserHost {
  readonly #host: ChromiumHost;
  readonly #own: OwnOptions;
  readonly #slots: Semaphore;
  readonly #leases = new Set<BrowserLease>();
  #closing: Promise<void> | null = null;

  constructor(host: ChromiumHost, own: OwnOptions) {
    this.#host = host;
    this.#own = own;
    this.#slots = createCapacityQueue(own);
    services.push(own);
  }

  get sessionCount(): number {
    return this.#slots.acquired;
  }

  get hasCapacity(): boolean {
    return this.#closing === null && this.#slots.available > 0;
  }

  async open(
    options: OpenContextOptions,
    listener: LeaseListener,
    signal: AbortSignal,
  ): Promise<BrowserLease> {
    if (this.#closing !== null) throw shuttingDown();
    const releaseSlot = await this.#slots.acquire(signal, options.accountId);
    const { sessionId } = options;
    const release = () => {
      filesBySession.delete(sessionId);
      releaseSlot();
    };
    try {
      filesBySession.set(sessionId, this.#own.files);
      const lease = await this.#host.open(options, listener, signal);
      this.#leases.add(lease);
      const close = lease.close.bind(lease);
      lease.close = async () => {
        try {
          await close();
        } finally {
          if (this.#leases.delete(lease)) release();
        }
      };
      if (this.#closing === null) return lease;
      await lease.close();
      throw shuttingDown();
    } catch (error) {
      if (filesBySession.has(sessionId)) release();
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#slots.rejectAll(shuttingDown());
    await Promise.all([...this.#leases].map(lease => lease.close()));
    services.splice(services.indexOf(this.#own), 1);
  }
}

/** Sends each call to the files of the session's service. */
const files: SessionFileStore = {
  reserve: (owner, ...rest) => filesOf(owner.sessionId).reserve(owner, ...rest),
  save: (owner, ...rest) => filesOf(owner.sessionId).save(owner, ...rest),
  list: (sessionId, kind) => filesOf(sessionId).list(sessionId, kind),
  find: (sessionId, kind, id) => filesOf(sessionId).find(sessionId, kind, id),
  open: (sessionId, kind, id) => filesOf(sessionId).open(sessionId, kind, id),
  remove: sessionId => filesOf(sessionId).remove(sessionId),
  unchangedSince: () => Promise.reject(new Error('Each service asks its own files.')),
  maxBytes: 10_000_000,
};

function filesOf(sessionId: string): SessionFileStore {
  const found = filesBySession.get(sessionId);
  if (found === undefined) throw new Error(`The session ${sessionId} has ended.`);
  return found;
}

/**
 * Joins a service to the host of this worker; the first call starts it. It ends with the worker.
 * @param options those of the host; another service that joins must have the same, but for its own
 */
export async function joinSharedChromiumHost(options: ChromiumHostOptions): Promise<BrowserHost> {
  running ??= start(options);
  return new SharedChromiumHost(await running, options);
}

function start(options: ChromiumHostOptions): Promise<ChromiumHost> {
  // A worker is killed at its end: its folder goes with that of the run.
  const registryPath = mkdtempSync(join(process.env[PROGRAM_FOLDER_VARIABLE] ?? tmpdir(), 'browsers-'));
  return ChromiumHost.start({
    ...options,
    registryPath,
    capacity: CAPACITY,
    maxWaiting: 0,
    files,
    // The events of a page have the times of the test that runs.
    now: () => (services.at(-1) ?? options).now(),
    warn: (message, error) => {
      for (const { warn } of services) warn(message, error);
    },
  });
}
