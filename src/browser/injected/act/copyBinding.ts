/** The global function through which the service receives copied content as JSON. It exists in the isolated world only. */
export const COPY_BINDING = '__pagespaceCopied';
