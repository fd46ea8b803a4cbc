/** The global function through which the service receives copied content as JSON. It exists in the isolated world only. */
export const COPY_BINDING = '__pagespaceCopied';

/** The global function through which the service receives the last messages of a page as JSON. It exists in the isolated world only. */
export const UNLOAD_MESSAGES_BINDING = '__pagespaceUnloadMessages';
