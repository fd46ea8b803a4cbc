import { ObservationBody } from '../../src/api/rest/selection.ts';

/** An action in a REST response. */
export interface RestAction {
  readonly id: string;
  readonly description: string;
  readonly category: string;
  readonly kind: string;
  readonly status: string;
  readonly name: string | null;
  readonly value: string | null;
  readonly in_viewport: boolean;
  readonly params: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** The response to observe, step or scrape, with the fields that tests read. */
export interface RestObservation {
  readonly observation_id: string;
  readonly session: { readonly session_id: string; readonly status: string };
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly screenshot: string | null;
  readonly screenshot_is_cut?: boolean | null;
  readonly data:
    | (Readonly<Record<string, unknown>> & {
        readonly markdown: string | null;
        readonly text: string | null;
        readonly main_content: string | null;
        readonly extract_errors?: readonly { readonly path: string; readonly message: string }[];
        readonly links?: readonly { readonly url: string; readonly text: string }[];
      })
    | null;
  readonly space: {
    readonly markdown: string;
    readonly truncated: boolean;
    readonly total_actions: number;
    readonly actions: readonly RestAction[];
    readonly special_actions: readonly RestAction[];
    readonly browser_actions: readonly RestAction[];
    readonly diff?: {
      readonly added: readonly RestAction[];
      readonly removed: readonly RestAction[];
      readonly changed: readonly RestAction[];
      readonly markdown: string;
    };
  } | null;
}

/** Returns the body of a response. @throws ZodError if it does not have exactly the fields of the schema in the OpenAPI document */
export const parseObservation = (body: unknown): RestObservation =>
  ObservationBody.strict().parse(body) as unknown as RestObservation;
