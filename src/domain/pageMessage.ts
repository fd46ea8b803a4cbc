/** What a page says: alerts, status, validation errors, and the text that appeared or disappeared since the last observation. */

/**
 * The kinds of messages. `alert`: an error or a warning. `status`: a status, log or toast. `validation`: why a field is invalid.
 * `appeared`, `disappeared`: other text that was not there, or is not there any more, since the observation before.
 */
export const MESSAGE_KINDS = ['alert', 'status', 'validation', 'appeared', 'disappeared'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Something that the page says, in its own words. */
export interface PageMessage {
  readonly kind: MessageKind;
  /** The words of the page on one line. */
  readonly text: string;
  /** Id of the action that the message belongs to, such as the field with the error; null if it belongs to none. */
  readonly action: string | null;
  /** True if the observation before did not have this message. */
  readonly isNew: boolean;
}
