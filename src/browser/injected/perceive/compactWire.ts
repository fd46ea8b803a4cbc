/** What a frame tells, in as few characters as say it: the list crosses two processes as text, and most of it is the same for all. */
import type { FrameObservation, ObservedElement } from './wireFormat.ts';

const DEFAULTS = {
  role: null,
  status: 'valid',
  params: [],
  value: null,
  checked: null,
  disabled: false,
  expanded: null,
  inViewport: true,
} as const satisfies Partial<ObservedElement>;

/** An element without what is as usual; `category` is its place in the page's categories, `print` what follows role and name in the fingerprint. */
type CompactElement = Partial<Omit<ObservedElement, 'category' | 'fingerprint'>> &
  Pick<ObservedElement, 'key' | 'letter' | 'control' | 'name' | 'description' | 'box'> & {
    readonly category: number;
    readonly print?: string;
    readonly fingerprint?: string;
  };

export interface CompactFrameObservation extends Omit<FrameObservation, 'elements'> {
  readonly elements: readonly CompactElement[];
  readonly categories: readonly string[];
}

export function toCompact(page: FrameObservation): CompactFrameObservation {
  const categories = new Map<string, number>();
  const elements = page.elements.map(element => {
    const { role, status, params, value, checked, disabled, expanded, inViewport } = element;
    const { category, fingerprint, ...rest } = element;
    const number = categories.get(category) ?? categories.size;
    categories.set(category, number);
    const start = fingerprintPrefix(element);
    const packed: Record<string, unknown> = { ...rest, category: number };
    if (role === DEFAULTS.role) delete packed.role;
    if (status === DEFAULTS.status) delete packed.status;
    if (params.length === 0) delete packed.params;
    if (value === DEFAULTS.value) delete packed.value;
    if (checked === DEFAULTS.checked) delete packed.checked;
    if (disabled === DEFAULTS.disabled) delete packed.disabled;
    if (expanded === DEFAULTS.expanded) delete packed.expanded;
    if (inViewport === DEFAULTS.inViewport) delete packed.inViewport;
    if (fingerprint.startsWith(start)) packed.print = fingerprint.slice(start.length);
    else packed.fingerprint = fingerprint;
    return packed as unknown as CompactElement;
  });
  return { ...page, elements, categories: [...categories.keys()] };
}

export function fromCompact({ elements, categories, ...page }: CompactFrameObservation): FrameObservation {
  return {
    ...page,
    elements: elements.map(({ category, print, fingerprint, ...rest }) => {
      const element = { ...DEFAULTS, ...rest, category: categories[category] ?? '' };
      return { ...element, fingerprint: fingerprint ?? fingerprintPrefix(element) + (print ?? '') };
    }),
  };
}

const fingerprintPrefix = ({ role, name }: Pick<ObservedElement, 'role' | 'name'>): string =>
  `${role ?? ''}|${name}|`;
