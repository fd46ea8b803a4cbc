/** Drops uploaded files onto the page, as a person drags them from a folder. */
import { viewportPoint } from '../pointer/geometry.ts';
import {
  isWords,
  type PointerTarget,
  parseLeadingTarget,
  parsePointerTargets,
} from '../pointer/pointerTargets.ts';
import { scrollIntoView } from '../ready/whenReady.ts';
import { effectCheck } from '../values/effectCheck.ts';
import { invalidValue } from './actionValue.ts';
import { type FoundTarget, findTarget } from './gestureTarget.ts';
import type { SpecialActionContext } from './specialActionContext.ts';
import { uploadPaths } from './uploadPaths.ts';

/** Matches ids of uploads at the start of a value: `U1`, or `U1, U2`. */
const UPLOADS = /^\s*(U\d+(?:[\s,]+U\d+)*)\b/i;

/** The uploads to drop and the point on which to drop them. */
interface UploadDrop {
  readonly uploadIds: readonly string[];
  readonly target: PointerTarget | null;
}

/** Parses a value such as `U1 -> B2` or `U1,U2 -> @400,300`; null if it does not begin with an upload. */
export function parseUploadDrop(value: string): UploadDrop | null {
  const match = UPLOADS.exec(value);
  if (match?.[1] === undefined) return null;
  const uploadIds = match[1].split(/[\s,]+/).map(id => id.toUpperCase());
  const rest = value.slice(match[0].length).replace(/^[\s,]*(?:->)?/, '');
  const leading = parseLeadingTarget(rest)?.target;
  const target = leading !== undefined && isWords(leading) ? leading : parsePointerTargets(rest).at(-1);
  return { uploadIds, target: target ?? null };
}

/** Drops uploads onto a target. @throws Failure VALIDATION_ERROR when there is no such upload, or no target; ACTION_BLOCKED */
export async function dropUploads(
  context: SpecialActionContext,
  { uploadIds, target }: UploadDrop,
): Promise<void> {
  const { id, tab, deadline } = context;
  if (target === null)
    throw invalidValue(
      id,
      'takes the target after the uploads: "U1 -> B2" or "U1 -> @400,300"',
      uploadIds.join(','),
    );
  const files = await uploadPaths(context, uploadIds);
  const note = `Nothing changed: the page did not take what ${id} dropped.`;
  context.addEffectCheck(await effectCheck(await context.topWorld(), null, note));
  const { x, y } = await pointOf(await findTarget(context, target));
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await tab.target.channel.send('Input.dispatchDragEvent', { type, x, y, data }, deadline);
}

async function pointOf({ element, position }: FoundTarget): Promise<{ x: number; y: number }> {
  if (element === null) return position;
  await scrollIntoView(element);
  return viewportPoint(element, position ?? element.clickPoint);
}
