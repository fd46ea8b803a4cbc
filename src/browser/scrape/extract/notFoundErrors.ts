/** Reports values that no selector and no label on the page leads to. */
import type { ExtractPlan } from '../../../domain/content/extractPlan.ts';
import type { ExtractError } from '../../../domain/content/scrape.ts';
import type { Json } from '../../../domain/json.ts';

const MAX_ERRORS = 1_000;

/** Returns one error for each value that was not found, unless the schema says that it may be null. */
export function notFoundErrors(plan: ExtractPlan, value: Json): readonly ExtractError[] {
  const errors: ExtractError[] = [];
  collectErrors(plan, value, [], errors);
  return errors.slice(0, MAX_ERRORS);
}

function collectErrors(
  plan: ExtractPlan,
  value: Json,
  path: readonly string[],
  errors: ExtractError[],
): void {
  if (errors.length >= MAX_ERRORS) return;
  if (plan.type === 'array') {
    const { items } = plan;
    if (items === null || !Array.isArray(value)) return;
    // The selector of the list has found the item itself; only the parts of an item have labels.
    if (items.type === 'object' || items.type === 'array')
      for (const [index, item] of (value as readonly Json[]).entries())
        collectErrors(items, item, [...path, String(index)], errors);
    return;
  }
  if (plan.type === 'object' && value !== null) {
    if (typeof value !== 'object' || Array.isArray(value)) return;
    const held = value as { readonly [name: string]: Json };
    for (const { name, plan: inner } of plan.properties)
      collectErrors(inner, held[name] ?? null, [...path, name], errors);
    return;
  }
  const where = whereOf(plan);
  if (value === null && !plan.isNullable && where !== null)
    errors.push({ path: path.join('.'), message: `was not found: ${where}` });
}

/** Returns where a value was searched, as the end of a message; null if its element is that of the part around it. */
function whereOf({ type, selector, label, attribute }: ExtractPlan): string | null {
  if (selector !== null && attribute !== null)
    return `nothing matches the selector "${selector}" and has the attribute "${attribute}"`;
  if (selector !== null) return `nothing matches the selector "${selector}", or its value cannot be read`;
  return label === null || type === 'object' ? null : `nothing on the page has the label "${label}"`;
}
