/** Holds the sessions of one browser against their bounds. */
import { passedBound, passedSharedBound, type SessionBounds } from '../../domain/sessionBounds.ts';
import type { Lease } from '../lease.ts';
import type { House } from './house.ts';
import { kill } from './kill.ts';
import { heldBytes } from './processTable.ts';
import { SharedBound } from './sharedBound.ts';

/** A process that nobody is known to own is asked after from this size; an empty page takes 30 MB. */
const WORTH_ASKING_BYTES = 80_000_000;
/** Or from this much work: a page that loads nothing beside its document tells nothing of its process. Seconds. */
const WORTH_ASKING_SECONDS = 10;

/** A process of pages at one look. */
interface Weighed {
  readonly pid: number;
  readonly bytes: number;
  /** Of processor time since it began. */
  readonly seconds: number;
  readonly owner: Lease | null;
}

export class HouseWatch {
  readonly #house: House;
  readonly #bounds: SessionBounds;
  readonly #shared: SharedBound | null;
  #isWeighing = false;

  constructor(house: House, bounds: SessionBounds) {
    this.#house = house;
    this.#bounds = bounds;
    this.#shared = bounds.memoryBytes === null ? null : new SharedBound(house, bounds.memoryBytes);
  }

  look(): void {
    if (this.#house.leases.size === 0) {
      this.#shared?.rest();
      return;
    }
    for (const lease of [...this.#house.leases]) {
      const reason = passedBound(this.#bounds, lease.footprint.spending());
      if (reason !== null) lease.overran(reason);
    }
    const { memoryBytes, processorMs } = this.#bounds;
    if ((memoryBytes === null && processorMs === null) || this.#isWeighing) return;
    this.#isWeighing = true;
    // A browser that does not answer is the heartbeat's care.
    this.#weigh()
      .catch(() => {})
      .finally(() => {
        this.#isWeighing = false;
      });
  }

  async #weigh(): Promise<void> {
    const processes = await this.#house.processes();
    const ofPages = this.#owned(processes.filter(({ holdsPages }) => holdsPages));
    for (const lease of [...this.#house.leases]) {
      const own = ofPages.filter(({ owner }) => owner === lease);
      const reason = passedBound(this.#bounds, {
        memoryBytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
        processorMs: lease.footprint.worked(own) * 1_000,
      });
      if (reason !== null) end(lease, reason, own);
    }
    const unowned = ofPages.filter(({ owner }) => owner === null);
    for (const { pid, bytes, seconds } of unowned) {
      const reason = passedBound(this.#bounds, { memoryBytes: bytes, processorMs: seconds * 1_000 });
      // No two sessions share a process: whose page crashes now, owned it.
      if (reason !== null) this.#house.endRenderer(pid, reason);
    }
    if (this.#shared !== null) await this.#weighShared(this.#shared, processes, ofPages);
    const isHeavy = ({ bytes, seconds }: Weighed): boolean =>
      bytes > WORTH_ASKING_BYTES || seconds > WORTH_ASKING_SECONDS;
    if (unowned.some(isHeavy) || this.#shared?.isRestless)
      await Promise.all([...this.#house.leases].map(lease => lease.footprint.askProcesses()));
  }

  #owned(processes: readonly { readonly pid: number; readonly seconds: number }[]): readonly Weighed[] {
    const living = new Map(processes.map(({ pid, seconds }) => [pid, seconds]));
    const owners = new Map(
      [...this.#house.leases].flatMap(lease =>
        lease.footprint.processesAmong(living).map(pid => [pid, lease] as const),
      ),
    );
    return processes.map(({ pid, seconds }) => ({
      pid,
      seconds,
      bytes: heldBytes(pid) ?? 0,
      owner: owners.get(pid) ?? null,
    }));
  }

  async #weighShared(
    shared: SharedBound,
    processes: readonly { readonly pid: number; readonly holdsPages: boolean }[],
    ofPages: readonly Weighed[],
  ): Promise<void> {
    const bytes = processes
      .filter(({ holdsPages }) => !holdsPages)
      .reduce((sum, { pid }) => sum + (heldBytes(pid) ?? 0), 0);
    const who = await shared.look(bytes, new Map(ofPages.map(one => [one.pid, one])));
    const reason = passedSharedBound(shared.most);
    if (typeof who === 'number') this.#house.endRenderer(who, reason);
    else if (who !== null)
      end(
        who,
        reason,
        ofPages.filter(({ owner }) => owner === who),
      );
  }
}

/** Told first, so that the crash is no news; ended at once, for it goes on growing. */
function end(lease: Lease, reason: string, processes: readonly { readonly pid: number }[]): void {
  lease.overran(reason);
  for (const { pid } of processes) kill(pid);
}
