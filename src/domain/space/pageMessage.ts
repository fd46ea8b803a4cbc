/** Messages of a page: alerts, status, validation errors, and the text that appeared or disappeared since the last observation. */

/**
 * The kinds of messages. `alert`: an error or a warning. `status`: a status, log or toast. `validation`: why a field is invalid.
 * `note`: what the service noticed about the step, in its own words, such as a drag after which nothing moved.
 * `appeared`, `disappeared`: other text that was not there, or is not there any more, since the observation before.
 */
export const MESSAGE_KINDS = ['note', 'alert', 'status', 'validation', 'appeared', 'disappeared'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Something that the page says, in its own words; or a note of the service. */
export interface PageMessage {
  readonly kind: MessageKind;
  /** The words of the page on one line; those of the service for a note. */
  readonly text: string;
  /** Id of the action that the message belongs to, such as the field with the error; null if it belongs to none. */
  readonly action: string | null;
  /** True if the observation before did not have this message. */
  readonly isNew: boolean;
  /** URL of the page that said it just before the step left it; absent for the present page. */
  readonly page?: string;
}
