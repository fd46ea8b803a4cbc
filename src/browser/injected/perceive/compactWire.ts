/**
 * A compact form of `FrameObservation`. Observations cross two process boundaries as text, and most fields have the
 * same values in all elements.
 */
import type { FrameObservation, ObservedElement } from './wireFormat.ts';

/** Default values: a field that has its default value is not sent. */
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

type CompactElement = Partial<Omit<ObservedElement, 'category' | 'fingerprint'>> &
  Pick<ObservedElement, 'key' | 'letter' | 'control' | 'name' | 'description' | 'box'> & {
    /** Index in `categories`. */
    readonly category: number;
    /** The fingerprint after `role|name|`. */
    readonly print?: string;
    /** The whole fingerprint, if it does not start with `role|name|`. */
    readonly fingerprint?: string;
  };

export interface CompactFrameObservation extends Omit<FrameObservation, 'elements'> {
  readonly elements: readonly CompactElement[];
  readonly categories: readonly string[];
}

/** Runs in the page: makes the compact form. */
export function toCompact(observation: FrameObservation): CompactFrameObservation {
  const categories = new Map<string, number>();
  const elements = observation.elements.map(element => {
    const { role, status, params, value, checked, disabled, expanded, inViewport } = element;
    const { category, fingerprint, ...rest } = element;
    const number = categories.get(category) ?? categories.size;
    categories.set(category, number);
    const prefix = fingerprintPrefix(element);
    const compact: Record<string, unknown> = { ...rest, category: number };
    if (role === DEFAULTS.role) delete compact.role;
    if (status === DEFAULTS.status) delete compact.status;
    if (params.length === 0) delete compact.params;
    if (value === DEFAULTS.value) delete compact.value;
    if (checked === DEFAULTS.checked) delete compact.checked;
    if (disabled === DEFAULTS.disabled) delete compact.disabled;
    if (expanded === DEFAULTS.expanded) delete compact.expanded;
    if (inViewport === DEFAULTS.inViewport) delete compact.inViewport;
    if (fingerprint.startsWith(prefix)) compact.print = fingerprint.slice(prefix.length);
    else compact.fingerprint = fingerprint;
    return compact as unknown as CompactElement;
  });
  return { ...observation, elements, categories: [...categories.keys()] };
}

/** Runs in the service: restores the full form. */
export function fromCompact({ elements, categories, ...rest }: CompactFrameObservation): FrameObservation {
  return {
    ...rest,
    elements: elements.map(({ category, print, fingerprint, ...fields }) => {
      const element = { ...DEFAULTS, ...fields, category: categories[category] ?? '' };
      return { ...element, fingerprint: fingerprint ?? fingerprintPrefix(element) + (print ?? '') };
    }),
  };
}

const fingerprintPrefix = ({ role, name }: Pick<ObservedElement, 'role' | 'name'>): string =>
  `${role ?? ''}|${name}|`;
