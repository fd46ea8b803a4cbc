/** A node of a cluster of real processes: `serve` in a process of its own, and its connections to the engines. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { groupMembers } from '../../src/browser/limits/processTable.ts';
import { parseApiKey } from '../../src/service/accounts/apiKeys.ts';
import { type ProgramResult, type RunningProgram, runProgram } from '../main/runProgram.ts';
import { registeredBrowsers } from './browserProcesses.ts';
import { type ApiResponse, type CallOptions, callApi } from './callApi.ts';
import type { CuttableConnection } from './cutConnection.ts';

/** The name of a node, its folder and its connections. */
export interface ClusterNodeOptions {
  readonly id: string;
  readonly dataDir: string;
  /** The connections of this node to PostgreSQL and to NATS. */
  readonly database: CuttableConnection;
  readonly bus: CuttableConnection;
  readonly env: Readonly<Record<string, string>>;
}

/** The error when a node that served has ended, and its test has not ended it. Its message has the log of the node. */
export class NodeEndedByItself extends Error {
  override readonly name = 'NodeEndedByItself';
}

/** A node. It can be killed, suspended and cut off, and started again with its id and its data folder. */
export class ClusterNode {
  readonly id: string;
  readonly database: CuttableConnection;
  readonly bus: CuttableConnection;
  readonly #options: ClusterNodeOptions;
  #program: RunningProgram | null = null;
  #url = '';
  /** True from the time when the node serves until its test ends it. */
  #shouldServe = false;
  /** The key of `call`. */
  key = '';

  constructor(options: ClusterNodeOptions) {
    this.#options = options;
    this.id = options.id;
    this.database = options.database;
    this.bus = options.bus;
  }

  /** Changes with each start. */
  get url(): string {
    return this.#url;
  }

  get program(): RunningProgram {
    if (this.#program === null) throw new Error(`Node ${this.id} was not started.`);
    return this.#program;
  }

  /** Starts the node. @returns the first API key, if this node created it */
  async start(): Promise<string | null> {
    this.#shouldServe = false;
    const { id, dataDir, env } = this.#options;
    this.#program = runProgram(['serve'], {
      PORT: '0',
      PAGESPACE_NODE_ID: id,
      PAGESPACE_DATA_DIR: dataDir,
      PAGESPACE_CAPACITY: '4',
      PAGESPACE_WARM_CONTEXTS: '0',
      PAGESPACE_EGRESS_ALLOW: '127.0.0.0/8,localhost',
      LOG_LEVEL: 'warn',
      ...env,
    });
    const program = this.#program;
    this.#url = (await program.waitForOutput(/listens on (\S+)/))[1] ?? '';
    await program.waitForOutput(/\n.*(curl|keys -- create).*\n$/);
    this.#shouldServe = true;
    return (
      program
        .out()
        .split('\n')
        .find(line => parseApiKey(line) !== null) ?? null
    );
  }

  call(method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> {
    return callApi(this.#url, method, path, { key: this.key, ...options });
  }

  post(path: string, body: object): Promise<ApiResponse> {
    return this.call('POST', path, { body });
  }

  /** Starts a session, on any node. @returns its id */
  async startSession(options: object = {}): Promise<string> {
    const { status, body, text } = await this.post('/session/start', options);
    if (status !== 200) throw new Error(`Node ${this.id} started no session: ${text}`);
    return body.session_id;
  }

  /** Status and text of `/ready`; "0" if the node does not respond. */
  async ready(): Promise<string> {
    return callApi(this.#url, 'GET', '/ready').then(
      ({ status, body }) => `${status} ${body.status}`,
      () => '0',
    );
  }

  /** Ends the node by a signal, or asks it to drain. */
  send(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void {
    // A node that has ended before has not ended by this signal.
    if (this.program.child.kill(signal)) this.#shouldServe = false;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    this.send('SIGKILL');
    await this.program.result;
  }

  /** SIGSTOP. */
  suspend(): void {
    this.program.child.kill('SIGSTOP');
  }

  /** SIGCONT. */
  resume(): void {
    this.program.child.kill('SIGCONT');
  }

  /** Returns how the node has ended, with its log, if it served and its test has not ended it; null otherwise. */
  get ownEnd(): NodeEndedByItself | null {
    const { exitCode, signalCode } = this.program.child;
    if (!this.#shouldServe || !this.#hasEnded) return null;
    const how = signalCode === null ? `code ${exitCode}` : `signal ${signalCode}`;
    return new NodeEndedByItself(`Node ${this.id} ended by itself with ${how}:\n${this.program.err()}`);
  }

  get #hasEnded(): boolean {
    const { exitCode, signalCode } = this.program.child;
    return exitCode !== null || signalCode !== null;
  }

  /**
   * Ends what a test has done to the node: starts it if it was killed, resumes it and connects it.
   * @throws NodeEndedByItself after the new start
   */
  async restore(): Promise<void> {
    this.database.restore();
    this.bus.restore();
    this.resume();
    if (!this.#hasEnded) return;
    const { ownEnd } = this;
    await this.start();
    if (ownEnd !== null) throw ownEnd;
  }

  /** SIGTERM. */
  async stop(): Promise<ProgramResult> {
    this.send('SIGTERM');
    this.resume();
    return this.program.result;
  }

  /** The process groups of this node's browsers that have a living process. */
  browserGroups(): number[] {
    const registry = join(this.#options.dataDir, 'browsers');
    if (!existsSync(registry)) return [];
    return registeredBrowsers(registry)
      .map(({ group }) => group)
      .filter(group => groupMembers(group).length > 0);
  }
}
