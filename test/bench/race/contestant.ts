/** A program that the race compares: it opens pages, lists what can be done there, acts, and reads. */
export interface Contestant {
  readonly name: string;
  /** Starts a session. */
  start(): Promise<void>;
  /** Opens a page. @returns the text that an agent reads then, with what can be done on the page */
  open(url: string): Promise<string>;
  /** @returns the text for the same page, once more */
  list(): Promise<string>;
  /** Clicks the button or link with this name. @returns the text afterwards */
  click(name: string): Promise<string>;
  /** Sets the text of the input with this name. @returns the text afterwards */
  type(name: string, text: string): Promise<string>;
  /** @returns the content of the page as Markdown */
  content(): Promise<string>;
  /** Ends the session. */
  end(): Promise<void>;
  /** The same program with its default answers, if it usually asks for less: rows with whole answers measure it. Its content comes with the list. */
  readonly whole?: Contestant;
  /** Stops everything that the contestant started. */
  stop(): Promise<void>;
}

/** Returns the part of a text that matches, or fails with the text that lacks it. */
export function found(text: string, pattern: RegExp): string {
  const match = pattern.exec(text)?.[1];
  if (match === undefined) throw new Error(`There is no ${pattern} in:\n${text.slice(0, 2_000)}`);
  return match;
}

/** Escapes a text for a regular expression. */
export const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
