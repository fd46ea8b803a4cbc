/** An entry of the table of failures: what a code means, over GraphQL and REST. */
export interface FailureDefinition {
  /** HTTP status of the REST response. */
  readonly status: number;
  /** Short summary of the failure (`title` of RFC 9457), the same for every occurrence. */
  readonly title: string;
  /** Text for the documentation: what happened and what the caller can do. */
  readonly description: string;
  /** True when the same request can succeed later. */
  readonly retryable: boolean;
  /** True when neither the caller nor the page caused the failure: the operation is not charged. */
  readonly serviceFault: boolean;
  /** True when the failure is returned only before the operation changed anything: a request with the same idempotency key runs again. */
  readonly withoutEffect: boolean;
}

type Flags = Partial<Pick<FailureDefinition, 'retryable' | 'serviceFault' | 'withoutEffect'>>;

/** Creates an entry of the table of failures. Flags that are not given are false. */
export const defineFailure = (
  status: number,
  title: string,
  description: string,
  flags: Flags = {},
): FailureDefinition => ({
  status,
  title,
  description,
  retryable: false,
  serviceFault: false,
  withoutEffect: false,
  ...flags,
});
