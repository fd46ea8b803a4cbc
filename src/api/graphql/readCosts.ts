/**
 * The cost of fields that read the store or the disk, in the unit of the operation's cost: about one returned field. They follow what is
 * read, not what is returned.
 */

/** Cost of a row that is found by its key. */
export const ROW_COST = 5;
export const COUNT_EVENTS_COST = 20;
/** Cost of reading the last observation of a session, a JSON document with up to 10,000 actions. */
export const OBSERVATION_COST = 50;
/** Cost of formatting the actions of an observation as text. */
export const MARKDOWN_COST = 20;
/** Cost of listing a folder of files. */
export const FOLDER_COST = 50;
/** Cost of adding up the charges of a session. */
export const SESSION_CHARGES_COST = 10;
/** Cost of counting the sessions of an account. It is multiplied by the size of the page of sessions that the count is read with. */
export const COUNT_SESSIONS_COST = 5;
/** Cost of comparing a text with all sessions of an account. */
export const SEARCH_SESSIONS_COST = 1_000;
/** Cost of adding up the charges of an account in a period. */
export const ALL_CHARGES_COST = 1_000;
