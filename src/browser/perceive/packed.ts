/** What a frame tells, in as few characters as say it: the list crosses two processes as text, and most of it is the same for all. */
import type { RawElement, RawFramePage } from './raw.ts';

const USUAL = {
  role: null,
  status: 'valid',
  params: [],
  value: null,
  checked: null,
  disabled: false,
  expanded: null,
  inViewport: true,
} as const satisfies Partial<RawElement>;

/** An element without what is as usual; `category` is its place in the page's categories, `print` what follows role and name in the fingerprint. */
type PackedElement = Partial<Omit<RawElement, 'category' | 'fingerprint'>> &
  Pick<RawElement, 'key' | 'letter' | 'control' | 'name' | 'description' | 'box'> & {
    readonly category: number;
    readonly print?: string;
    readonly fingerprint?: string;
  };

export interface PackedPage extends Omit<RawFramePage, 'elements'> {
  readonly elements: readonly PackedElement[];
  readonly categories: readonly string[];
}

export function pack(page: RawFramePage): PackedPage {
  const categories = new Map<string, number>();
  const elements = page.elements.map(element => {
    const { role, status, params, value, checked, disabled, expanded, inViewport } = element;
    const { category, fingerprint, ...rest } = element;
    const number = categories.get(category) ?? categories.size;
    categories.set(category, number);
    const start = startOf(element);
    const packed: Record<string, unknown> = { ...rest, category: number };
    if (role === USUAL.role) delete packed.role;
    if (status === USUAL.status) delete packed.status;
    if (params.length === 0) delete packed.params;
    if (value === USUAL.value) delete packed.value;
    if (checked === USUAL.checked) delete packed.checked;
    if (disabled === USUAL.disabled) delete packed.disabled;
    if (expanded === USUAL.expanded) delete packed.expanded;
    if (inViewport === USUAL.inViewport) delete packed.inViewport;
    if (fingerprint.startsWith(start)) packed.print = fingerprint.slice(start.length);
    else packed.fingerprint = fingerprint;
    return packed as unknown as PackedElement;
  });
  return { ...page, elements, categories: [...categories.keys()] };
}

export function unpack({ elements, categories, ...page }: PackedPage): RawFramePage {
  return {
    ...page,
    elements: elements.map(({ category, print, fingerprint, ...rest }) => {
      const element = { ...USUAL, ...rest, category: categories[category] ?? '' };
      return { ...element, fingerprint: fingerprint ?? startOf(element) + (print ?? '') };
    }),
  };
}

const startOf = ({ role, name }: Pick<RawElement, 'role' | 'name'>): string => `${role ?? ''}|${name}|`;
