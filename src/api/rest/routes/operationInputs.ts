/** Converts the flat fields of REST requests to the grouped inputs of GraphQL. */
import { DEFAULT_FORMATS } from '../../../domain/contentParts.ts';
import { toEnumName } from '../../http/enumName.ts';
import type { ContentFields, OperationFields, PageFields } from '../bodies/requestFields.ts';

/** Returns the input fields of every operation. */
export const toOperationInput = (body: OperationFields) => ({
  idempotencyKey: body.idempotency_key ?? null,
  screenshot: {
    // The documents always select the screenshot; it is taken only on request.
    take: body.screenshot ?? false,
    fullPage: body.screenshot_options?.full_page ?? null,
    format: body.screenshot_options?.format ? toEnumName(body.screenshot_options.format) : null,
    quality: body.screenshot_options?.quality ?? null,
  },
});

/** Returns the input fields of every operation except close. */
export const toTimeoutInput = (body: OperationFields) => ({
  sessionTimeoutMinutes: body.session_timeout_minutes ?? body.session_timeout ?? null,
});

/** Returns the input fields of observe, step and scrape. */
export const toPageInput = (body: PageFields) => ({
  ...toOperationInput(body),
  ...toTimeoutInput(body),
  keepAlive: body.keep_alive ?? null,
  diffSince: body.diff_since ?? null,
  actions: {
    max: body.max_nb_actions ?? null,
    min: body.min_nb_actions ?? null,
    kinds: body.kinds?.map(toEnumName) ?? null,
    categories: body.categories ?? null,
    search: body.search ?? null,
    inViewport: body.in_viewport ?? null,
    maxTokens: body.max_tokens ?? null,
  },
});

export const toContentInput = (body: ContentFields) => ({
  onlyMainContent: body.only_main_content ?? null,
  formats: toFormats(body),
  extract: body.extract ?? null,
  maxCharacters: body.max_characters ?? null,
  cursor: body.cursor ?? null,
});

/** Returns the parts to read: images only if `scrape_images` is true, or if it is absent and `formats` contains them. */
function toFormats({ formats, scrape_images }: ContentFields) {
  const withImages = scrape_images ?? formats?.includes('images') ?? false;
  return (formats ?? DEFAULT_FORMATS).filter(format => format !== 'images' || withImages).map(toEnumName);
}
