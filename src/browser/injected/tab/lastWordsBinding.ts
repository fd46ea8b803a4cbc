/** The global function through which the service receives the last words of a page as JSON. It exists in the isolated world only. */
export const LAST_WORDS_BINDING = '__pagespaceLastWords';
