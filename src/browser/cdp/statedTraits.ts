/** Reads from Chromium's accessibility tree what custom elements state only to the browser (`ElementInternals`). */
import type { StatedTraits } from '../injected/perceive/wireFormat.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';
import { isTargetGone } from './playwrightInternals.ts';

/** Roles of the accessibility tree for elements that state none. */
const NO_ROLE =
  /^(?:generic|none|presentation|GenericContainer|group|StaticText|LabelText|paragraph|InlineTextBox|unknown)?$/;

/** Returns what an element states; null if it states no role or has left the document. @param handle returns its CDP object id */
export async function readStatedTraits(
  world: IsolatedWorld,
  handle: () => Promise<string | null>,
): Promise<StatedTraits | null> {
  try {
    const objectId = await handle();
    if (objectId === null) return null;
    const { nodes } = await world.channel.send(
      'Accessibility.getPartialAXTree',
      { objectId, fetchRelatives: false },
      world.deadline,
    );
    world.channel.sendNoReply('Runtime.releaseObject', { objectId });
    const [node] = nodes;
    const role = textOf(node?.role?.value);
    if (node === undefined || node.ignored || NO_ROLE.test(role)) return null;
    const stated = new Map(
      (node.properties ?? []).map(({ name, value }) => [String(name), textOf(value.value)]),
    );
    return {
      role,
      name: textOf(node.name?.value),
      value: stated.get('valuetext') || textOf(node.value?.value),
      number: numberOf(textOf(node.value?.value)),
      min: numberOf(stated.get('valuemin')),
      max: numberOf(stated.get('valuemax')),
      checked: truthOf(stated.get('checked') ?? stated.get('pressed')),
      expanded: truthOf(stated.get('expanded')),
      selected: stated.get('selected') === 'true',
      disabled: stated.get('disabled') === 'true',
    };
  } catch (error) {
    // The element has left the document.
    if (world.deadline.signal.aborted || isTargetGone(error)) throw error;
    return null;
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

const numberOf = (text = ''): number | null =>
  text === '' || !Number.isFinite(Number(text)) ? null : Number(text);

const truthOf = (value: string | undefined): boolean | null =>
  value === 'true' ? true : value === 'false' ? false : null;
