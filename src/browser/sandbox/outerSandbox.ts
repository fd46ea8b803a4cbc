/** The outer sandbox around each whole browser, for a page that escapes Chromium's own: bubblewrap, util-linux and the kernel's cgroups. */
import { type CgroupLimits, openBrowserCgroups } from './cgroups.ts';
import {
  prepareLaunch,
  probeLaunch,
  removeStaleFolders,
  SANDBOX_LAYERS,
  type SandboxedLaunch,
  type SandboxLayer,
} from './sandboxedLaunch.ts';

/** Setting of the outer sandbox. `auto` means the layers that this system allows; `on` requires all except `user` and `cgroup`. */
export type OuterSandboxSetting = 'auto' | 'on' | 'off';

const REQUIRED_LAYERS: readonly SandboxLayer[] = ['filesystem', 'network', 'seccomp'];

export interface OuterSandbox {
  readonly layers: ReadonlySet<SandboxLayer>;
  /** Prepares the sandbox of one browser. @throws Error when the system refuses what it allowed at the start */
  prepare(): Promise<SandboxedLaunch>;
}

export interface OuterSandboxReport {
  /** Null when no layer works. */
  readonly sandbox: OuterSandbox | null;
  /** One line for the log: which layers work, and why the others do not. */
  readonly summary: string;
}

export interface OuterSandboxOptions {
  readonly setting: OuterSandboxSetting;
  readonly executablePath: string;
  readonly cgroupLimits: CgroupLimits;
}

/** The layers to try together, the strongest first. seccomp and the file system belong to each. */
const COMBINATIONS: readonly (readonly SandboxLayer[])[] = [['network', 'user'], ['network'], ['user'], []];

/** Starts `chromium --version` in the layers. @throws Error when the setting is `on` and a required layer does not work */
export async function startOuterSandbox(options: OuterSandboxOptions): Promise<OuterSandboxReport> {
  const { setting, executablePath, cgroupLimits } = options;
  if (setting === 'off') return { sandbox: null, summary: 'Outer sandbox: off by configuration.' };
  await removeStaleFolders();
  const reasons = new Map<SandboxLayer, string>();
  const layers = await findLayers(executablePath, reasons);
  const cgroups =
    layers.size === 0
      ? null
      : await openBrowserCgroups().catch((error: Error) => void reasons.set('cgroup', error.message));
  if (cgroups) layers.add('cgroup');
  const summary = summarize(layers, reasons);
  if (setting === 'on' && REQUIRED_LAYERS.some(layer => !layers.has(layer)))
    throw new Error(`PAGESPACE_OUTER_SANDBOX is on, but this system does not allow it. ${summary}`);
  if (layers.size === 0) return { sandbox: null, summary };
  const prepare = () => prepareLaunch({ executablePath, layers, cgroups: cgroups ?? null, cgroupLimits });
  return { sandbox: { layers, prepare }, summary };
}

async function findLayers(
  executablePath: string,
  reasons: Map<SandboxLayer, string>,
): Promise<Set<SandboxLayer>> {
  if (process.platform !== 'linux') {
    reasons.set('filesystem', 'it needs Linux');
    return new Set();
  }
  if (process.getuid?.() !== 0)
    reasons.set('user', 'only a service that runs as root can start programs as another user');
  if (!['x64', 'arm64'].includes(process.arch))
    reasons.set('seccomp', `there is no filter for ${process.arch}`);
  for (const combination of COMBINATIONS) {
    const layers = new Set(
      SANDBOX_LAYERS.filter(
        layer =>
          !reasons.has(layer) && (['filesystem', 'seccomp'].includes(layer) || combination.includes(layer)),
      ),
    );
    if (combination.some(layer => !layers.has(layer))) continue;
    const failure = await probeLaunch(executablePath, layers);
    if (failure === null) return layers;
    reasons.set(combination.at(-1) ?? 'filesystem', failure);
  }
  return new Set();
}

function summarize(layers: ReadonlySet<SandboxLayer>, reasons: ReadonlyMap<SandboxLayer, string>): string {
  // Without the first layer there is none, for the same reason.
  const tried = layers.size === 0 ? SANDBOX_LAYERS.slice(0, 1) : SANDBOX_LAYERS;
  const missing = tried.filter(layer => !layers.has(layer) && reasons.has(layer));
  const failed = missing.map(layer => `${layer} (${reasons.get(layer)})`).join(', ');
  return `Outer sandbox: ${[...layers].join(', ') || 'none'}${failed === '' ? '' : `; not ${failed}`}.`;
}
