/**
 * The cost of fields that read the store or the disk, in the unit of the operation's cost: about one returned field. They follow what is
 * read, not what is returned.
 */

/** A row found by its key. */
export const ROW_COST = 5;
/** Events of a session, counted by type. */
export const COUNT_EVENTS_COST = 20;
/** The last observation of a session: a JSON document with up to 10,000 actions. */
export const OBSERVATION_COST = 50;
/** Actions of an observation, formatted as text. */
export const MARKDOWN_COST = 20;
/** A folder with files. */
export const FOLDER_COST = 50;
/** All charges of a session. */
export const SESSION_CHARGES_COST = 10;
/** All sessions of an account, counted. The cost is multiplied by the size of the page beside the count. */
export const COUNT_SESSIONS_COST = 5;
/** All sessions of an account, with a comparison of texts. */
export const SEARCH_SESSIONS_COST = 1_000;
/** All charges of an account in a period. */
export const ALL_CHARGES_COST = 1_000;
