/**
 * A compact form of `FrameObservation`. Observations cross two process boundaries as text, and most fields have the
 * same values in all elements.
 */
import type { FrameObservation, ObservedElement } from './wireFormat.ts';

/** Default values of fields of `ObservedElement`: `toCompact` omits a field that has its default value. */
const DEFAULTS = {
  role: null,
  status: 'valid',
  params: [],
  value: null,
  checked: null,
  disabled: false,
  expanded: null,
  gesture: null,
  inViewport: true,
  layer: null,
} as const satisfies Partial<ObservedElement>;

type CompactElement = Partial<Omit<ObservedElement, 'category' | 'fingerprint'>> &
  Pick<ObservedElement, 'key' | 'letter' | 'control' | 'name' | 'description' | 'box'> & {
    /** Index of the element's category in `CompactFrameObservation.categories`. */
    readonly category: number;
    /** The fingerprint without `role|name|` at its beginning; absent when `fingerprint` is set. */
    readonly print?: string;
    /** The whole fingerprint; set only when it does not start with `role|name|`. */
    readonly fingerprint?: string;
  };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A `FrameObservation` without repeated values: fields with default values are absent, and each category is sent once. */
export interface CompactFrameObservation extends Omit<FrameObservation, 'elements'> {
  readonly elements: readonly CompactElement[];
  readonly categories: readonly string[];
}

/** Returns the compact form of an observation. Runs in the page. */
export function toCompact(observation: FrameObservation): CompactFrameObservation {
  const categories = new Map<string, number>();
  const elements = observation.elements.map(element => {
    const {
      role,
      status,
      params,
      value,
      checked,
      disabled,
      expanded,
      gesture,
      inViewport,
      layer,
      category,
      fingerprint,
      ...others
    } = element;
    let number = categories.get(category);
    if (number === undefined) {
      number = categories.size;
      categories.set(category, number);
    }
    const prefix = fingerprintPrefix(element);
    const compact: Writable<CompactElement> = Object.assign(others, { category: number });
    if (role !== DEFAULTS.role) compact.role = role;
    if (status !== DEFAULTS.status) compact.status = status;
    if (params.length > 0) compact.params = params;
    if (value !== DEFAULTS.value) compact.value = value;
    if (checked !== DEFAULTS.checked) compact.checked = checked;
    if (disabled !== DEFAULTS.disabled) compact.disabled = disabled;
    if (expanded !== DEFAULTS.expanded) compact.expanded = expanded;
    if (gesture !== DEFAULTS.gesture) compact.gesture = gesture;
    if (inViewport !== DEFAULTS.inViewport) compact.inViewport = inViewport;
    if (layer !== DEFAULTS.layer) compact.layer = layer;
    if (fingerprint.startsWith(prefix)) compact.print = fingerprint.slice(prefix.length);
    else compact.fingerprint = fingerprint;
    return compact;
  });
  return { ...observation, elements, categories: [...categories.keys()] };
}

/** Restores an observation from its compact form. Runs in the service. */
export function fromCompact({ elements, categories, ...rest }: CompactFrameObservation): FrameObservation {
  return {
    ...rest,
    elements: elements.map(({ category, print, fingerprint, ...fields }) => {
      const element = { ...DEFAULTS, ...fields, category: categories[category] ?? '', fingerprint: '' };
      element.fingerprint = fingerprint ?? fingerprintPrefix(element) + (print ?? '');
      return element;
    }),
  };
}

const fingerprintPrefix = ({ role, name }: Pick<ObservedElement, 'role' | 'name'>): string =>
  `${role ?? ''}|${name}|`;
