/** Converts the flat fields of REST requests to the grouped inputs of GraphQL. */
import { DEFAULT_FORMATS } from '../../../domain/content/contentParts.ts';
import { toEnumName } from '../../http/enumName.ts';
import {
  type ContentFields,
  type OperationFields,
  type PageFields,
  wantsDiff,
} from '../bodies/requestFields.ts';

const TEXT_FIELD = /^(space\.)?text_blocks(\.|$)/;

/** Converts the fields of a REST request that every operation has to those of the GraphQL input. */
export const toOperationInput = (
  body: OperationFields & { readonly fields?: readonly string[] | null | undefined },
) => ({
  idempotencyKey: body.idempotency_key ?? null,
  screenshot: {
    // The GraphQL documents always select `screenshot`. `take` decides if the service takes one.
    take: body.screenshot ?? body.fields?.includes('screenshot') ?? false,
    fullPage: body.screenshot_options?.full_page ?? null,
    format: body.screenshot_options?.format ? toEnumName(body.screenshot_options.format) : null,
    quality: body.screenshot_options?.quality ?? null,
  },
});

/** Converts the session timeout of a REST request to the field of the GraphQL input. All operations except close have it. */
export const toTimeoutInput = (body: OperationFields) => ({
  sessionTimeoutMinutes: body.session_timeout_minutes ?? body.session_timeout ?? null,
});

/** Converts the fields of a REST request that observe, step and scrape share to those of the GraphQL input. */
export const toPageInput = (
  body: PageFields & { readonly fields?: readonly string[] | null | undefined },
) => ({
  ...toOperationInput(body),
  ...toTimeoutInput(body),
  keepAlive: body.keep_alive ?? null,
  // A caller who asks for the difference and names no observation means the last one.
  diffSince: body.diff_since ?? (wantsDiff(body.fields) ? 'last' : null),
  waitMs: body.wait_ms ?? null,
  waitFor: body.wait_for ?? null,
  actions: {
    max: body.max_nb_actions ?? null,
    min: body.min_nb_actions ?? null,
    kinds: body.kinds?.map(toEnumName) ?? null,
    status: body.status?.map(toEnumName) ?? null,
    categories: body.categories ?? null,
    search: body.search ?? null,
    inViewport: body.in_viewport ?? null,
    maxTokens: body.max_tokens ?? null,
    // A caller who asks for the text blocks wants them to be read.
    text: body.text ?? (body.fields?.some(name => TEXT_FIELD.test(name)) ? true : null),
  },
});

export const toContentInput = (body: ContentFields) => ({
  onlyMainContent: body.only_main_content ?? null,
  formats: toFormats(body),
  extract: body.extract ?? null,
  maxCharacters: body.max_characters ?? null,
  cursor: body.cursor ?? null,
});

/**
 * Returns the content parts to read, as `formats` of GraphQL. `images` is one of them only if `scrape_images` is true, or if that is
 * absent and `formats` contains `images`.
 */
function toFormats({ formats, scrape_images }: ContentFields) {
  const withImages = scrape_images ?? formats?.includes('images') ?? false;
  return (formats ?? DEFAULT_FORMATS).filter(format => format !== 'images' || withImages).map(toEnumName);
}
