/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** What sort of action it is; the first letter of its id says it too. */
export type ActionKind =
  /** S9 to S17: what the browser itself can do now (scroll, press a key, tabs, dialogs). */
  | 'BROWSER'
  /** B: anything else that is clicked. */
  | 'BUTTON'
  /** I: takes exactly one value (a text, a choice, a tick, a file). */
  | 'INPUT'
  /** L: a link. */
  | 'LINK'
  /** S1 to S8: there on every page. */
  | 'SPECIAL';

/** Whether an action can be done now. */
export type ActionStatus =
  /** The element is cut off by a box that cannot be scrolled. */
  | 'CLIPPED'
  /** Something else lies on top of the element. */
  | 'COVERED'
  /** The element is disabled. */
  | 'EXCLUDED'
  /** Can be done now; the step scrolls to it by itself. */
  | 'VALID';

/** Which session to close. */
export type CloseSessionInput = {
  /** A text of your own that names this request, up to 255 characters. Sent again within ten minutes with the same input and selection, it is not done again: the same answer comes again, unless nothing had been done. With other input it is refused. */
  idempotencyKey?: string | null | undefined;
  /** true: the session stays after this operation. false: it is closed. Absent: a session that you gave stays, one that the operation made is closed. Ignored by start and close. */
  keepAlive?: boolean | null | undefined;
  /** Whether the field `screenshot` of the answer is made. Default: yes if it is selected; false switches it off. */
  screenshot?: boolean | null | undefined;
  /** How the screenshot is to be. Default: a PNG of the viewport. */
  screenshotOptions?: ScreenshotOptionsInput | null | undefined;
  /** The session to close. */
  sessionId: string | number;
  /** Minutes without an operation after which the session times out: above 0, below 30, not above the service's own bound. Default of a new session: 5; an existing one keeps its own. */
  sessionTimeoutMinutes?: number | null | undefined;
};

/** A part of the content. */
export type ContentFormat =
  /** The images of the page. */
  | 'IMAGES'
  /** The links in the content. */
  | 'LINKS'
  /** HTML. */
  | 'MAIN_CONTENT'
  /** Markdown. */
  | 'MARKDOWN'
  /** What the page says about itself. */
  | 'METADATA'
  /** The page as a PDF. */
  | 'PDF'
  /** JSON-LD, microdata and OpenGraph. */
  | 'STRUCTURED'
  /** Plain text. */
  | 'TEXT';

/** What a new key is to be. */
export type CreateApiKeyInput = {
  /** Days until it expires: 1 to 3650. Never when absent. */
  expiresInDays?: number | null | undefined;
  /** What to call it: 1 to 100 characters. */
  name: string;
  /** What it may be used for. Default READ and OPERATE. */
  scopes?: Array<KeyScope> | null | undefined;
  /** What may be charged to it in all, a whole number of micro-units; any amount when absent. Beyond it operations are refused with BALANCE_EXHAUSTED. */
  spendCapMicros?: number | null | undefined;
};

/** What sort of dialog it is. */
export type DialogKind =
  /** Says something. */
  | 'ALERT'
  /** Asks whether to leave the page. */
  | 'BEFOREUNLOAD'
  /** Asks yes or no. */
  | 'CONFIRM'
  /** Asks for a text. */
  | 'PROMPT';

/** What an image is for. */
export type ImageCategory =
  /** Part of what the page has to say. */
  | 'CONTENT_IMAGE'
  /** There for its looks. */
  | 'DECORATIVE'
  /** A small sign. */
  | 'ICON'
  /** A drawing in SVG that is part of what the page has to say. */
  | 'SVG_CONTENT'
  /** A small sign drawn in SVG. */
  | 'SVG_ICON';

/** What an API key may be used for. */
export type KeyScope =
  /** Everything, the keys of the account too. */
  | 'ADMIN'
  /** Also the operations: start, observe, step, scrape, close. */
  | 'OPERATE'
  /** Queries and subscriptions. */
  | 'READ';

/** Which page to observe. Without a sessionId a session is made; without a url the current page is looked at again. */
export type ObserveInput = {
  /** Only actions of these categories, written as the actions have them. */
  categories?: Array<string> | null | undefined;
  /** The `data.cursor` of an earlier answer: the content goes on from there. */
  cursor?: string | null | undefined;
  /** The id of an earlier observation of this session: `diff` then says what has changed since. The last eight are kept. */
  diffSince?: string | number | null | undefined;
  /** A JSON Schema whose parts say where their value stands (`selector`, `label`, `attribute`): `{price: {type: "number", selector: ".price"}}`. `data.extracted` holds the values, `data.extractErrors` what is missing or does not fit. */
  extract?: unknown;
  /** Only these parts of `data` are made, of those that are selected. Default: all of them. */
  formats?: Array<ContentFormat> | null | undefined;
  /** A text of your own that names this request, up to 255 characters. Sent again within ten minutes with the same input and selection, it is not done again: the same answer comes again, unless nothing had been done. With other input it is refused. */
  idempotencyKey?: string | null | undefined;
  /** true: only actions that show without scrolling; false: only the others. */
  inViewport?: boolean | null | undefined;
  /** true: the session stays after this operation. false: it is closed. Absent: a session that you gave stays, one that the operation made is closed. Ignored by start and close. */
  keepAlive?: boolean | null | undefined;
  /** Only actions of these kinds. */
  kinds?: Array<ActionKind> | null | undefined;
  /** Longest text of an answer, each of `mainContent`, `markdown` and `text` for itself, and longest list as JSON, each of `links`, `images` and `structured`: 1000 to 10000000. Default 1000000. `data.truncated` and `data.cursor` say when there is more. */
  maxCharacters?: number | null | undefined;
  /** At most this many actions are listed: 1 to 10000. Default 100. */
  maxNbActions?: number | null | undefined;
  /** As many actions as make about so many tokens of `space.markdown`: 100 to 1,000,000. Counted after the filters and the other limits. */
  maxTokens?: number | null | undefined;
  /** Listing stops at the first end of a category at or past this count: 1 to 10000, not above maxNbActions. Default: it goes on up to maxNbActions. */
  minNbActions?: number | null | undefined;
  /** true: only the main content, without navigation bars, footers and the like. false: the visible page. Default true. */
  onlyMainContent?: boolean | null | undefined;
  /** Whether `data.images` is made. Default: yes if it is selected; false switches it off. */
  scrapeImages?: boolean | null | undefined;
  /** Whether the field `screenshot` of the answer is made. Default: yes if it is selected; false switches it off. */
  screenshot?: boolean | null | undefined;
  /** How the screenshot is to be. Default: a PNG of the viewport. */
  screenshotOptions?: ScreenshotOptionsInput | null | undefined;
  /** Only actions whose description contains this, whatever its case. */
  search?: string | null | undefined;
  /** The session to work in; a new one is made when absent. */
  sessionId?: string | number | null | undefined;
  /** Minutes without an operation after which the session times out: above 0, below 30, not above the service's own bound. Default of a new session: 5; an existing one keeps its own. */
  sessionTimeoutMinutes?: number | null | undefined;
  /** The address to open; the current page when absent. */
  url?: string | null | undefined;
};

/** What values a parameter takes. All are sent as text. */
export type ParamType =
  /** `true` or `false`. */
  | 'BOOLEAN'
  /** A colour: `#rrggbb`. */
  | 'COLOR'
  /** An ISO date, month, week or moment, as the field wants: `2026-03-09`. */
  | 'DATE'
  /** The id of an uploaded file. */
  | 'FILE'
  /** A number. */
  | 'NUMBER'
  /** One of `values`. */
  | 'OPTION'
  /** Some of `values`, one a line. */
  | 'OPTIONS'
  /** A number within the bounds that `values` says. */
  | 'RANGE'
  /** Any text. */
  | 'STRING'
  /** An ISO time: `14:05`. */
  | 'TIME';

/** A proxy of your own, through which the pages of a session reach the web. It is told addresses, not names. What pages may reach stays the same, and the proxy must itself be at an address that pages may reach. */
export type ProxyInput = {
  /** The password of the user. Never told again. */
  password?: string | null | undefined;
  /** Its address: `http://proxy.example:3128`, `https://…` or `socks5://…`. It must let connections through (CONNECT) to the ports of the pages, 80 too. */
  server: string;
  /** Who asks, where the proxy wants to know. Never told again. */
  username?: string | null | undefined;
};

/** Which page to take the content of. Without a sessionId a session is made; without a url the current page is read. */
export type ScrapeInput = {
  /** Only actions of these categories, written as the actions have them. */
  categories?: Array<string> | null | undefined;
  /** The `data.cursor` of an earlier answer: the content goes on from there. */
  cursor?: string | null | undefined;
  /** The id of an earlier observation of this session: `diff` then says what has changed since. The last eight are kept. */
  diffSince?: string | number | null | undefined;
  /** A JSON Schema whose parts say where their value stands (`selector`, `label`, `attribute`): `{price: {type: "number", selector: ".price"}}`. `data.extracted` holds the values, `data.extractErrors` what is missing or does not fit. */
  extract?: unknown;
  /** Only these parts of `data` are made, of those that are selected. Default: all of them. */
  formats?: Array<ContentFormat> | null | undefined;
  /** A text of your own that names this request, up to 255 characters. Sent again within ten minutes with the same input and selection, it is not done again: the same answer comes again, unless nothing had been done. With other input it is refused. */
  idempotencyKey?: string | null | undefined;
  /** true: only actions that show without scrolling; false: only the others. */
  inViewport?: boolean | null | undefined;
  /** true: the session stays after this operation. false: it is closed. Absent: a session that you gave stays, one that the operation made is closed. Ignored by start and close. */
  keepAlive?: boolean | null | undefined;
  /** Only actions of these kinds. */
  kinds?: Array<ActionKind> | null | undefined;
  /** Longest text of an answer, each of `mainContent`, `markdown` and `text` for itself, and longest list as JSON, each of `links`, `images` and `structured`: 1000 to 10000000. Default 1000000. `data.truncated` and `data.cursor` say when there is more. */
  maxCharacters?: number | null | undefined;
  /** At most this many actions are listed: 1 to 10000. Default 100. */
  maxNbActions?: number | null | undefined;
  /** As many actions as make about so many tokens of `space.markdown`: 100 to 1,000,000. Counted after the filters and the other limits. */
  maxTokens?: number | null | undefined;
  /** Listing stops at the first end of a category at or past this count: 1 to 10000, not above maxNbActions. Default: it goes on up to maxNbActions. */
  minNbActions?: number | null | undefined;
  /** true: only the main content, without navigation bars, footers and the like. false: the visible page. Default true. */
  onlyMainContent?: boolean | null | undefined;
  /** Whether `data.images` is made. Default: yes if it is selected; false switches it off. */
  scrapeImages?: boolean | null | undefined;
  /** Whether the field `screenshot` of the answer is made. Default: yes if it is selected; false switches it off. */
  screenshot?: boolean | null | undefined;
  /** How the screenshot is to be. Default: a PNG of the viewport. */
  screenshotOptions?: ScreenshotOptionsInput | null | undefined;
  /** Only actions whose description contains this, whatever its case. */
  search?: string | null | undefined;
  /** The session to work in; a new one is made when absent. */
  sessionId?: string | number | null | undefined;
  /** Minutes without an operation after which the session times out: above 0, below 30, not above the service's own bound. Default of a new session: 5; an existing one keeps its own. */
  sessionTimeoutMinutes?: number | null | undefined;
  /** The address to open; the current page when absent. */
  url?: string | null | undefined;
};

/** A part of a page's content. */
export type ScrapedPart =
  /** `extracted`. */
  | 'EXTRACTED'
  /** `images`. */
  | 'IMAGES'
  /** `links`. */
  | 'LINKS'
  /** `mainContent`. */
  | 'MAIN_CONTENT'
  /** `markdown`. */
  | 'MARKDOWN'
  /** `structured`. */
  | 'STRUCTURED'
  /** `text`. */
  | 'TEXT';

/** How a picture is written. */
export type ScreenshotFormat =
  /** JPEG: smaller. */
  | 'JPEG'
  /** PNG: every pixel as it was. */
  | 'PNG';

/** How a screenshot is to be. */
export type ScreenshotOptionsInput = {
  /** Default PNG. */
  format?: ScreenshotFormat | null | undefined;
  /** The whole page instead of the viewport, up to 16,384 pixels each way. Default false. */
  fullPage?: boolean | null | undefined;
  /** JPEG's quality, 1 to 100. Default 80. */
  quality?: number | null | undefined;
};

/** Where in its life a session is. All but ACTIVE are final. */
export type SessionStatus =
  /** Can be operated on. */
  | 'ACTIVE'
  /** Ended because it was asked to, or because the service shut down. */
  | 'CLOSED'
  /** Ended because its browser was lost or its page died beyond recovery; `error` says how. */
  | 'ERROR'
  /** Ended because nothing was done in it for its timeout. */
  | 'TIMED_OUT';

/** What sort of page it is. */
export type SpaceCategory =
  /** Signing in or up. */
  | 'AUTH'
  /** A test whether the visitor is a person. */
  | 'CAPTCHA'
  /** A list of many like things: posts, products, messages, rows. */
  | 'DATA_FEED'
  /** A form to fill in. */
  | 'FORM'
  /** A site's front page. */
  | 'HOMEPAGE'
  /** One thing: an article, a product, a profile. */
  | 'ITEM'
  /** A question about cookies or consent. */
  | 'MANAGE_COOKIES'
  /** None of these. */
  | 'OTHER'
  /** Paying. */
  | 'PAYMENT'
  /** Answers to a search. */
  | 'SEARCH_RESULTS';

/** How to start a session. All fields may be left out. */
export type StartSessionInput = {
  /** A text of your own that names this request, up to 255 characters. Sent again within ten minutes with the same input and selection, it is not done again: the same answer comes again, unless nothing had been done. With other input it is refused. */
  idempotencyKey?: string | null | undefined;
  /** true: the session stays after this operation. false: it is closed. Absent: a session that you gave stays, one that the operation made is closed. Ignored by start and close. */
  keepAlive?: boolean | null | undefined;
  /** A proxy for the session's pages. Default: they reach the web from the service itself. */
  proxy?: ProxyInput | null | undefined;
  /** Whether the field `screenshot` of the answer is made. Default: yes if it is selected; false switches it off. */
  screenshot?: boolean | null | undefined;
  /** How the screenshot is to be. Default: a PNG of the viewport. */
  screenshotOptions?: ScreenshotOptionsInput | null | undefined;
  /** Minutes without an operation after which the session times out: above 0, below 30, not above the service's own bound. Default of a new session: 5; an existing one keeps its own. */
  sessionTimeoutMinutes?: number | null | undefined;
  /** What may be charged for the session in all, a whole number of micro-units; any amount when absent. Beyond it operations in it are refused with BALANCE_EXHAUSTED. */
  spendCapMicros?: number | null | undefined;
};

/** Which action to do, and with what value. */
export type StepInput = {
  /** An action as the last space listed it: `L1`, `B2`, `I3`, `S4`. */
  actionId: string | number;
  /** Only actions of these categories, written as the actions have them. */
  categories?: Array<string> | null | undefined;
  /** The `data.cursor` of an earlier answer: the content goes on from there. */
  cursor?: string | null | undefined;
  /** The id of an earlier observation of this session: `diff` then says what has changed since. The last eight are kept. */
  diffSince?: string | number | null | undefined;
  /** Press Enter after filling. Default false. */
  enter?: boolean | null | undefined;
  /** A JSON Schema whose parts say where their value stands (`selector`, `label`, `attribute`): `{price: {type: "number", selector: ".price"}}`. `data.extracted` holds the values, `data.extractErrors` what is missing or does not fit. */
  extract?: unknown;
  /** Only these parts of `data` are made, of those that are selected. Default: all of them. */
  formats?: Array<ContentFormat> | null | undefined;
  /** A text of your own that names this request, up to 255 characters. Sent again within ten minutes with the same input and selection, it is not done again: the same answer comes again, unless nothing had been done. With other input it is refused. */
  idempotencyKey?: string | null | undefined;
  /** true: only actions that show without scrolling; false: only the others. */
  inViewport?: boolean | null | undefined;
  /** true: the session stays after this operation. false: it is closed. Absent: a session that you gave stays, one that the operation made is closed. Ignored by start and close. */
  keepAlive?: boolean | null | undefined;
  /** Only actions of these kinds. */
  kinds?: Array<ActionKind> | null | undefined;
  /** Longest text of an answer, each of `mainContent`, `markdown` and `text` for itself, and longest list as JSON, each of `links`, `images` and `structured`: 1000 to 10000000. Default 1000000. `data.truncated` and `data.cursor` say when there is more. */
  maxCharacters?: number | null | undefined;
  /** At most this many actions are listed: 1 to 10000. Default 100. */
  maxNbActions?: number | null | undefined;
  /** As many actions as make about so many tokens of `space.markdown`: 100 to 1,000,000. Counted after the filters and the other limits. */
  maxTokens?: number | null | undefined;
  /** Listing stops at the first end of a category at or past this count: 1 to 10000, not above maxNbActions. Default: it goes on up to maxNbActions. */
  minNbActions?: number | null | undefined;
  /** true: only the main content, without navigation bars, footers and the like. false: the visible page. Default true. */
  onlyMainContent?: boolean | null | undefined;
  /** Values by parameter name, for actions that take several. `value` fills the first that is absent. */
  params?: { readonly [name: string]: string | number | boolean } | null | undefined;
  /** Whether `data.images` is made. Default: yes if it is selected; false switches it off. */
  scrapeImages?: boolean | null | undefined;
  /** Whether the field `screenshot` of the answer is made. Default: yes if it is selected; false switches it off. */
  screenshot?: boolean | null | undefined;
  /** How the screenshot is to be. Default: a PNG of the viewport. */
  screenshotOptions?: ScreenshotOptionsInput | null | undefined;
  /** Only actions whose description contains this, whatever its case. */
  search?: string | null | undefined;
  /** The session to work in. */
  sessionId: string | number;
  /** Minutes without an operation after which the session times out: above 0, below 30, not above the service's own bound. Default of a new session: 5; an existing one keeps its own. */
  sessionTimeoutMinutes?: number | null | undefined;
  /** What to enter: a text; an option (several, one a line); `true` or `false`; an ISO date or time; the address for S1, seconds for S7, the key for S11, the tab for S12. */
  value?: string | null | undefined;
};

/** What an account may do and what it pays. */
export type Tier =
  /** For testing: few sessions at once, bounded requests and browser time. */
  | 'FREE'
  /** Without limits: the account made on the first start of a service of your own. */
  | 'LOCAL'
  /** For production: limits by configuration, each operation paid from the balance. */
  | 'PAY_AS_YOU_GO';

export type HomeAccountQueryVariables = Exact<{ [key: string]: never; }>;


export type HomeAccountQuery = { viewer: { account: { name: string, tier: Tier, balanceMicros: number, limits: { sessionsAtOnce: number | null, requestsPerMinute: number | null, browserMinutesPerDay: number | null }, keys: Array<{ id: string, name: string, prefix: string, scopes: Array<KeyScope>, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null }> } } };

export type HomeCreateKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type HomeCreateKeyMutation = { createApiKey: { key: string } };

export type HomeRevokeKeyMutationVariables = Exact<{
  id: string | number;
}>;


export type HomeRevokeKeyMutation = { revokeApiKey: { id: string } };

export type SessionFactsFragment = { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, expiresAt: string | null, endedAt: string | null, duration: string, durationMs: number, timeoutMinutes: number, error: string | null, url: string | null, pageTitle: string | null };

export type ActionFactsFragment = { id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null };

export type SpaceFactsFragment = { description: string, category: SpaceCategory, markdown: string, totalActions: number, truncated: boolean, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, actions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, browserActions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }> };

export type DiffFactsFragment = { markdown: string, added: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, removed: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, changed: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }> };

export type MetadataFactsFragment = { url: string, title: string, timestamp: string, httpStatus: number | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }> };

export type DataFactsFragment = { extracted: unknown, pdf: string | null, contentType: string | null, truncated: boolean, cursor: string | null, incomplete: Array<ScrapedPart>, mainContent: string | null, markdown: string | null, text: string | null, structured: Array<unknown> | null, extractErrors: Array<{ path: string, message: string }> | null, images: Array<{ id: string, url: string | null, alt: string | null, category: ImageCategory, width: number | null, height: number | null }> | null, links: Array<{ url: string, text: string }> | null, metadata: { byline: string | null, published: string | null, lang: string | null, siteName: string | null, canonical: string | null, excerpt: string | null } | null };

export type StartSessionMutationVariables = Exact<{
  input: StartSessionInput;
}>;


export type StartSessionMutation = { startSession: { screenshot: string | null, id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, expiresAt: string | null, endedAt: string | null, duration: string, durationMs: number, timeoutMinutes: number, error: string | null, url: string | null, pageTitle: string | null } };

export type ObserveMutationVariables = Exact<{
  input: ObserveInput;
}>;


export type ObserveMutation = { observe: { id: string, screenshot: string | null, session: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, expiresAt: string | null, endedAt: string | null, duration: string, durationMs: number, timeoutMinutes: number, error: string | null, url: string | null, pageTitle: string | null }, metadata: { url: string, title: string, timestamp: string, httpStatus: number | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }> }, space: { description: string, category: SpaceCategory, markdown: string, totalActions: number, truncated: boolean, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, actions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, browserActions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }> } | null, diff: { markdown: string, added: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, removed: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, changed: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }> } | null } };

export type StepMutationVariables = Exact<{
  input: StepInput;
}>;


export type StepMutation = { step: { id: string, screenshot: string | null, session: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, expiresAt: string | null, endedAt: string | null, duration: string, durationMs: number, timeoutMinutes: number, error: string | null, url: string | null, pageTitle: string | null }, metadata: { url: string, title: string, timestamp: string, httpStatus: number | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }> }, data: { extracted: unknown, pdf: string | null, contentType: string | null, truncated: boolean, cursor: string | null, incomplete: Array<ScrapedPart>, mainContent: string | null, markdown: string | null, text: string | null, structured: Array<unknown> | null, extractErrors: Array<{ path: string, message: string }> | null, images: Array<{ id: string, url: string | null, alt: string | null, category: ImageCategory, width: number | null, height: number | null }> | null, links: Array<{ url: string, text: string }> | null, metadata: { byline: string | null, published: string | null, lang: string | null, siteName: string | null, canonical: string | null, excerpt: string | null } | null } | null, space: { description: string, category: SpaceCategory, markdown: string, totalActions: number, truncated: boolean, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, actions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, browserActions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }> } | null, diff: { markdown: string, added: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, removed: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, changed: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }> } | null } };

export type ScrapeMutationVariables = Exact<{
  input: ScrapeInput;
}>;


export type ScrapeMutation = { scrape: { id: string, screenshot: string | null, session: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, expiresAt: string | null, endedAt: string | null, duration: string, durationMs: number, timeoutMinutes: number, error: string | null, url: string | null, pageTitle: string | null }, metadata: { url: string, title: string, timestamp: string, httpStatus: number | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }> }, data: { extracted: unknown, pdf: string | null, contentType: string | null, truncated: boolean, cursor: string | null, incomplete: Array<ScrapedPart>, mainContent: string | null, markdown: string | null, text: string | null, structured: Array<unknown> | null, extractErrors: Array<{ path: string, message: string }> | null, images: Array<{ id: string, url: string | null, alt: string | null, category: ImageCategory, width: number | null, height: number | null }> | null, links: Array<{ url: string, text: string }> | null, metadata: { byline: string | null, published: string | null, lang: string | null, siteName: string | null, canonical: string | null, excerpt: string | null } | null } | null, space: { description: string, category: SpaceCategory, markdown: string, totalActions: number, truncated: boolean, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, actions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, browserActions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }> } | null, diff: { markdown: string, added: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, removed: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }>, changed: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> | null }>, bounds: { x: number, y: number, width: number, height: number } | null }> } | null } };

export type CloseSessionMutationVariables = Exact<{
  input: CloseSessionInput;
}>;


export type CloseSessionMutation = { closeSession: { screenshot: string | null, id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, expiresAt: string | null, endedAt: string | null, duration: string, durationMs: number, timeoutMinutes: number, error: string | null, url: string | null, pageTitle: string | null } };

export type ReadSessionQueryVariables = Exact<{
  id: string | number;
}>;


export type ReadSessionQuery = { session: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, expiresAt: string | null, endedAt: string | null, duration: string, durationMs: number, timeoutMinutes: number, error: string | null, url: string | null, pageTitle: string | null } | null };

export type ListDownloadsQueryVariables = Exact<{
  id: string | number;
}>;


export type ListDownloadsQuery = { session: { downloads: Array<{ id: string, name: string, bytes: number, createdAt: string, url: string }> } | null };

export type ListUploadsQueryVariables = Exact<{
  id: string | number;
}>;


export type ListUploadsQuery = { session: { uploads: Array<{ id: string, name: string, bytes: number, createdAt: string }> } | null };

export type ListSessionsQueryVariables = Exact<{
  status?: Array<SessionStatus> | SessionStatus | null | undefined;
  search?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ListSessionsQuery = { sessions: { edges: Array<{ node: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, expiresAt: string | null, endedAt: string | null, duration: string, durationMs: number, timeoutMinutes: number, error: string | null, url: string | null, pageTitle: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type DemoStartMutationVariables = Exact<{
  input: StartSessionInput;
}>;


export type DemoStartMutation = { startSession: { id: string, status: SessionStatus, timeoutMinutes: number } };

export type DemoObserveMutationVariables = Exact<{
  input: ObserveInput;
}>;


export type DemoObserveMutation = { observe: { metadata: { url: string, title: string, httpStatus: number | null }, space: { description: string, category: SpaceCategory, totalActions: number, actions: Array<{ id: string, kind: ActionKind, description: string, category: string, status: ActionStatus, name: string | null, role: string | null }> } | null } };

export type DemoStepMutationVariables = Exact<{
  input: StepInput;
}>;


export type DemoStepMutation = { step: { metadata: { url: string, title: string }, space: { totalActions: number } | null } };

export type DemoScrapeMutationVariables = Exact<{
  input: ScrapeInput;
}>;


export type DemoScrapeMutation = { scrape: { data: { markdown: string | null } | null } };

export type DemoCloseMutationVariables = Exact<{
  input: CloseSessionInput;
}>;


export type DemoCloseMutation = { closeSession: { status: SessionStatus } };

export const SessionFactsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SessionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Session"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastAccessedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"timeoutMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"pageTitle"}}]}}]} as unknown as DocumentNode<SessionFactsFragment, unknown>;
export const ActionFactsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ActionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Action"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"params"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"default"}},{"kind":"Field","name":{"kind":"Name","value":"values"}}]}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"checked"}},{"kind":"Field","name":{"kind":"Name","value":"disabled"}},{"kind":"Field","name":{"kind":"Name","value":"expanded"}},{"kind":"Field","name":{"kind":"Name","value":"inViewport"}},{"kind":"Field","name":{"kind":"Name","value":"bounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"x"}},{"kind":"Field","name":{"kind":"Name","value":"y"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}},{"kind":"Field","name":{"kind":"Name","value":"frame"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}}]}}]} as unknown as DocumentNode<ActionFactsFragment, unknown>;
export const SpaceFactsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SpaceFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Space"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}},{"kind":"Field","name":{"kind":"Name","value":"totalActions"}},{"kind":"Field","name":{"kind":"Name","value":"truncated"}},{"kind":"Field","name":{"kind":"Name","value":"dialog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"defaultValue"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"specialActions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"browserActions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ActionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Action"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"params"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"default"}},{"kind":"Field","name":{"kind":"Name","value":"values"}}]}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"checked"}},{"kind":"Field","name":{"kind":"Name","value":"disabled"}},{"kind":"Field","name":{"kind":"Name","value":"expanded"}},{"kind":"Field","name":{"kind":"Name","value":"inViewport"}},{"kind":"Field","name":{"kind":"Name","value":"bounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"x"}},{"kind":"Field","name":{"kind":"Name","value":"y"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}},{"kind":"Field","name":{"kind":"Name","value":"frame"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}}]}}]} as unknown as DocumentNode<SpaceFactsFragment, unknown>;
export const DiffFactsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DiffFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpaceDiff"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"added"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"removed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ActionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Action"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"params"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"default"}},{"kind":"Field","name":{"kind":"Name","value":"values"}}]}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"checked"}},{"kind":"Field","name":{"kind":"Name","value":"disabled"}},{"kind":"Field","name":{"kind":"Name","value":"expanded"}},{"kind":"Field","name":{"kind":"Name","value":"inViewport"}},{"kind":"Field","name":{"kind":"Name","value":"bounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"x"}},{"kind":"Field","name":{"kind":"Name","value":"y"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}},{"kind":"Field","name":{"kind":"Name","value":"frame"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}}]}}]} as unknown as DocumentNode<DiffFactsFragment, unknown>;
export const MetadataFactsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MetadataFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageMetadata"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"timestamp"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}},{"kind":"Field","name":{"kind":"Name","value":"tabs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"active"}}]}}]}}]} as unknown as DocumentNode<MetadataFactsFragment, unknown>;
export const DataFactsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DataFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScrapedData"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"extracted"}},{"kind":"Field","name":{"kind":"Name","value":"extractErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pdf"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"truncated"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"incomplete"}},{"kind":"Field","name":{"kind":"Name","value":"mainContent"}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}},{"kind":"Field","name":{"kind":"Name","value":"links"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"structured"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"byline"}},{"kind":"Field","name":{"kind":"Name","value":"published"}},{"kind":"Field","name":{"kind":"Name","value":"lang"}},{"kind":"Field","name":{"kind":"Name","value":"siteName"}},{"kind":"Field","name":{"kind":"Name","value":"canonical"}},{"kind":"Field","name":{"kind":"Name","value":"excerpt"}}]}}]}}]} as unknown as DocumentNode<DataFactsFragment, unknown>;
export const HomeAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"HomeAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"tier"}},{"kind":"Field","name":{"kind":"Name","value":"balanceMicros"}},{"kind":"Field","name":{"kind":"Name","value":"limits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sessionsAtOnce"}},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"browserMinutesPerDay"}}]}},{"kind":"Field","name":{"kind":"Name","value":"keys"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}}]}}]}}]}}]}}]} as unknown as DocumentNode<HomeAccountQuery, HomeAccountQueryVariables>;
export const HomeCreateKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"HomeCreateKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateApiKeyInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}}]}}]}}]} as unknown as DocumentNode<HomeCreateKeyMutation, HomeCreateKeyMutationVariables>;
export const HomeRevokeKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"HomeRevokeKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<HomeRevokeKeyMutation, HomeRevokeKeyMutationVariables>;
export const StartSessionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartSession"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartSessionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startSession"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SessionFacts"}},{"kind":"Field","name":{"kind":"Name","value":"screenshot"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SessionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Session"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastAccessedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"timeoutMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"pageTitle"}}]}}]} as unknown as DocumentNode<StartSessionMutation, StartSessionMutationVariables>;
export const ObserveDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Observe"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ObserveInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"observe"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"session"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SessionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"metadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MetadataFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"screenshot"}},{"kind":"Field","name":{"kind":"Name","value":"space"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpaceFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"diff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DiffFacts"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ActionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Action"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"params"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"default"}},{"kind":"Field","name":{"kind":"Name","value":"values"}}]}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"checked"}},{"kind":"Field","name":{"kind":"Name","value":"disabled"}},{"kind":"Field","name":{"kind":"Name","value":"expanded"}},{"kind":"Field","name":{"kind":"Name","value":"inViewport"}},{"kind":"Field","name":{"kind":"Name","value":"bounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"x"}},{"kind":"Field","name":{"kind":"Name","value":"y"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}},{"kind":"Field","name":{"kind":"Name","value":"frame"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SessionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Session"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastAccessedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"timeoutMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"pageTitle"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MetadataFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageMetadata"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"timestamp"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}},{"kind":"Field","name":{"kind":"Name","value":"tabs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"active"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SpaceFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Space"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}},{"kind":"Field","name":{"kind":"Name","value":"totalActions"}},{"kind":"Field","name":{"kind":"Name","value":"truncated"}},{"kind":"Field","name":{"kind":"Name","value":"dialog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"defaultValue"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"specialActions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"browserActions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DiffFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpaceDiff"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"added"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"removed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}}]}}]} as unknown as DocumentNode<ObserveMutation, ObserveMutationVariables>;
export const StepDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Step"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StepInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"step"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"session"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SessionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"metadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MetadataFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"screenshot"}},{"kind":"Field","name":{"kind":"Name","value":"data"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DataFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"space"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpaceFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"diff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DiffFacts"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ActionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Action"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"params"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"default"}},{"kind":"Field","name":{"kind":"Name","value":"values"}}]}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"checked"}},{"kind":"Field","name":{"kind":"Name","value":"disabled"}},{"kind":"Field","name":{"kind":"Name","value":"expanded"}},{"kind":"Field","name":{"kind":"Name","value":"inViewport"}},{"kind":"Field","name":{"kind":"Name","value":"bounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"x"}},{"kind":"Field","name":{"kind":"Name","value":"y"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}},{"kind":"Field","name":{"kind":"Name","value":"frame"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SessionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Session"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastAccessedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"timeoutMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"pageTitle"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MetadataFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageMetadata"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"timestamp"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}},{"kind":"Field","name":{"kind":"Name","value":"tabs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"active"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DataFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScrapedData"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"extracted"}},{"kind":"Field","name":{"kind":"Name","value":"extractErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pdf"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"truncated"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"incomplete"}},{"kind":"Field","name":{"kind":"Name","value":"mainContent"}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}},{"kind":"Field","name":{"kind":"Name","value":"links"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"structured"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"byline"}},{"kind":"Field","name":{"kind":"Name","value":"published"}},{"kind":"Field","name":{"kind":"Name","value":"lang"}},{"kind":"Field","name":{"kind":"Name","value":"siteName"}},{"kind":"Field","name":{"kind":"Name","value":"canonical"}},{"kind":"Field","name":{"kind":"Name","value":"excerpt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SpaceFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Space"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}},{"kind":"Field","name":{"kind":"Name","value":"totalActions"}},{"kind":"Field","name":{"kind":"Name","value":"truncated"}},{"kind":"Field","name":{"kind":"Name","value":"dialog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"defaultValue"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"specialActions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"browserActions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DiffFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpaceDiff"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"added"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"removed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}}]}}]} as unknown as DocumentNode<StepMutation, StepMutationVariables>;
export const ScrapeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Scrape"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ScrapeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scrape"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"session"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SessionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"metadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MetadataFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"screenshot"}},{"kind":"Field","name":{"kind":"Name","value":"data"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DataFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"space"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpaceFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"diff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DiffFacts"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ActionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Action"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"params"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"default"}},{"kind":"Field","name":{"kind":"Name","value":"values"}}]}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"checked"}},{"kind":"Field","name":{"kind":"Name","value":"disabled"}},{"kind":"Field","name":{"kind":"Name","value":"expanded"}},{"kind":"Field","name":{"kind":"Name","value":"inViewport"}},{"kind":"Field","name":{"kind":"Name","value":"bounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"x"}},{"kind":"Field","name":{"kind":"Name","value":"y"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}},{"kind":"Field","name":{"kind":"Name","value":"frame"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SessionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Session"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastAccessedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"timeoutMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"pageTitle"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MetadataFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageMetadata"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"timestamp"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}},{"kind":"Field","name":{"kind":"Name","value":"tabs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"active"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DataFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScrapedData"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"extracted"}},{"kind":"Field","name":{"kind":"Name","value":"extractErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pdf"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"truncated"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"incomplete"}},{"kind":"Field","name":{"kind":"Name","value":"mainContent"}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}},{"kind":"Field","name":{"kind":"Name","value":"links"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"structured"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"byline"}},{"kind":"Field","name":{"kind":"Name","value":"published"}},{"kind":"Field","name":{"kind":"Name","value":"lang"}},{"kind":"Field","name":{"kind":"Name","value":"siteName"}},{"kind":"Field","name":{"kind":"Name","value":"canonical"}},{"kind":"Field","name":{"kind":"Name","value":"excerpt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SpaceFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Space"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}},{"kind":"Field","name":{"kind":"Name","value":"totalActions"}},{"kind":"Field","name":{"kind":"Name","value":"truncated"}},{"kind":"Field","name":{"kind":"Name","value":"dialog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"defaultValue"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"specialActions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"browserActions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DiffFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpaceDiff"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"added"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"removed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ActionFacts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"markdown"}}]}}]} as unknown as DocumentNode<ScrapeMutation, ScrapeMutationVariables>;
export const CloseSessionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CloseSession"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CloseSessionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"closeSession"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SessionFacts"}},{"kind":"Field","name":{"kind":"Name","value":"screenshot"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SessionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Session"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastAccessedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"timeoutMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"pageTitle"}}]}}]} as unknown as DocumentNode<CloseSessionMutation, CloseSessionMutationVariables>;
export const ReadSessionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ReadSession"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"session"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SessionFacts"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SessionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Session"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastAccessedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"timeoutMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"pageTitle"}}]}}]} as unknown as DocumentNode<ReadSessionQuery, ReadSessionQueryVariables>;
export const ListDownloadsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListDownloads"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"session"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"downloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}}]}}]} as unknown as DocumentNode<ListDownloadsQuery, ListDownloadsQueryVariables>;
export const ListUploadsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListUploads"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"session"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uploads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<ListUploadsQuery, ListUploadsQueryVariables>;
export const ListSessionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListSessions"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SessionStatus"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"search"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sessions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}},{"kind":"Argument","name":{"kind":"Name","value":"search"},"value":{"kind":"Variable","name":{"kind":"Name","value":"search"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SessionFacts"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SessionFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Session"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastAccessedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"timeoutMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"pageTitle"}}]}}]} as unknown as DocumentNode<ListSessionsQuery, ListSessionsQueryVariables>;
export const DemoStartDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DemoStart"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartSessionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startSession"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"timeoutMinutes"}}]}}]}}]} as unknown as DocumentNode<DemoStartMutation, DemoStartMutationVariables>;
export const DemoObserveDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DemoObserve"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ObserveInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"observe"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"metadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}},{"kind":"Field","name":{"kind":"Name","value":"space"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"totalActions"}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"role"}}]}}]}}]}}]}}]} as unknown as DocumentNode<DemoObserveMutation, DemoObserveMutationVariables>;
export const DemoStepDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DemoStep"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StepInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"step"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"metadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"space"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalActions"}}]}}]}}]}}]} as unknown as DocumentNode<DemoStepMutation, DemoStepMutationVariables>;
export const DemoScrapeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DemoScrape"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ScrapeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scrape"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"data"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"markdown"}}]}}]}}]}}]} as unknown as DocumentNode<DemoScrapeMutation, DemoScrapeMutationVariables>;
export const DemoCloseDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DemoClose"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CloseSessionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"closeSession"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<DemoCloseMutation, DemoCloseMutationVariables>;