/** One page that makes the browser send a request, and the functions that write one. */

/** One attacking page; `to` is the URL that it tries to request. */
export interface Vector {
  readonly id: string;
  readonly what: string;
  /** The page's body. */
  readonly body?: (to: string) => string;
  /** Response headers of the page. */
  readonly headers?: (to: string) => Readonly<Record<string, string>>;
  /** Further documents of the site under `/part/<id>`: content type and content. */
  readonly part?: (to: string) => readonly [type: string, content: string];
  /** True when it concerns the top-level document: it leaves its page, or has no effect in a frame. */
  readonly ownTab?: boolean;
  /** True when it blocks the process of its page, which other rows would share. */
  readonly blocks?: boolean;
  /** True when a page can have one target only. */
  readonly oneTarget?: boolean;
  /** True when Chromium does this only for https and loopback; then it is not tried with a plain-http name. */
  readonly trustworthyOnly?: boolean;
}

/** A page with a script, which gets `to` as a literal. */
export const js = (code: (to: string) => string): Pick<Vector, 'body'> => ({
  body: to => `<body><script type="module">${code(JSON.stringify(to).replaceAll('<', '\\u003c'))}</script>`,
});
/** A page with markup. */
export const tag = (markup: (to: string) => string): Pick<Vector, 'body'> => ({
  body: to => `<body>${markup(to)}`,
});
/** The path of the row's further document. */
export const part = (id: string, to: string) => `/part/${id}?to=${encodeURIComponent(to)}`;

export const row = (id: string, what: string, parts: Omit<Vector, 'id' | 'what'>): Vector => ({
  id,
  what,
  ...parts,
});

export const byTag = (id: string, what: string, markup: (to: string) => string) => row(id, what, tag(markup));
export const byScript = (id: string, what: string, code: (to: string) => string) => row(id, what, js(code));
