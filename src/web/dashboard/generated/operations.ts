/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The kind of an action. The first letter of its `id` shows it: L, B, I or S. */
export type ActionKind =
  /** S9 to S25: actions of the browser itself that apply now (scroll down, scroll up, press key, switch tab, close tab, accept dialog, dismiss dialog, hover, drag, double click, right click, press and hold, click, wheel, type text, wait for, choose files). */
  | 'BROWSER'
  /** B1, B2, …: any other element that is clicked. */
  | 'BUTTON'
  /** I1, I2, …: an input that takes one value: a text, an option, true or false, a file. */
  | 'INPUT'
  /** L1, L2, …: a link. */
  | 'LINK'
  /** S1 to S8: listed on every page. */
  | 'SPECIAL';

/** The actions that `space` lists. The filters apply first, then `max` and `min`, then `maxTokens`. The filters and `max` also apply to `diff`. */
export type ActionListInput = {
  /** Only actions whose `category` is one of these, ignoring case, as the actions or the headings of `space.markdown` write it. */
  categories?: Array<string> | null | undefined;
  /** Only actions that are visible without scrolling. false: only the others. */
  inViewport?: boolean | null | undefined;
  /** Only actions of these kinds. */
  kinds?: Array<ActionKind> | null | undefined;
  /** Maximum number of actions in the list. 1 to 10,000. Default: 100. */
  max?: number | null | undefined;
  /** Maximum tokens of the list. They are estimated from `space.markdown`. Applies after the filters and the other limits. Default: no limit. 100 to 1,000,000. */
  maxTokens?: number | null | undefined;
  /** Stop after the category in which this count is reached. Not above the maximum. Default: list up to the maximum. 1 to 10,000. */
  min?: number | null | undefined;
  /** Only actions with this text. It stands in their description; case is ignored. Up to 500 characters. */
  search?: string | null | undefined;
  /** Only actions in one of these states. The state valid alone leaves out what is disabled or covered. */
  status?: Array<ActionStatus> | null | undefined;
  /** With the text of the page. It stands between the actions, in `space.markdown` and `space.textBlocks`, within `maxTokens`; the actions are then in document order, not grouped by category. Default: false. */
  text?: boolean | null | undefined;
};

/** The state of an action: can it be performed now? */
export type ActionStatus =
  /** A box that cannot be scrolled clips the element. */
  | 'CLIPPED'
  /** Another element, or an open dialog, covers this one. */
  | 'COVERED'
  /** The element is disabled. */
  | 'EXCLUDED'
  /** Can be performed now. The step scrolls to the element if necessary. */
  | 'VALID';

/** The session, and the approval. */
export type ApproveStepInput = {
  /** The approval, as `runningOperation.approval` of the session has it. Up to 100 characters. */
  approvalId: string | number;
  /** The session. */
  sessionId: string | number;
};

/** A kind of requests that are not sent. */
export type BlockedKind =
  /** Requests to companies that the lists of `third-party-web` call `ad`, of pages that are not theirs. Companies that also serve what people see, such as video players, are left out. */
  | 'ADS'
  /** Fonts. */
  | 'FONTS'
  /** Pictures. */
  | 'IMAGES'
  /** Sound and video. */
  | 'MEDIA'
  /** Requests to those that the lists call `analytics` or `tag-manager`, of pages that are not theirs, with the same exceptions. */
  | 'TRACKERS';

/** The kind of a caller. */
export type CallerKind =
  /** A program that calls REST or GraphQL. */
  | 'AGENT'
  /** The command line. */
  | 'CLI'
  /** A program that calls MCP. */
  | 'MCP'
  /** A person in a browser. */
  | 'PERSON';

/** The session to close. */
export type CloseSessionInput = {
  /** Idempotency key. A repeated request with the same key, fields and selection within 10 minutes returns the stored response, failures included. Two kinds of failures are not stored, so that you can repeat the request: those before any work was done and, except for a step, those of the service itself. The same key with other fields fails with VALIDATION_ERROR. Over HTTP the header `Idempotency-Key` can send it to the REST paths instead. Up to 255 characters. */
  idempotencyKey?: string | null | undefined;
  /** Format and area of the screenshot. Default: a PNG of the viewport. */
  screenshot?: ScreenshotInput | null | undefined;
  /** The session. */
  sessionId: string | number;
};

/** The value of `prefers-color-scheme`. */
export type ColorScheme =
  /** Dark. */
  | 'DARK'
  /** Light. */
  | 'LIGHT'
  /** No preference. */
  | 'NO_PREFERENCE';

/** The level of a console message. */
export type ConsoleLevel =
  /** For the developers of the page. */
  | 'DEBUG'
  /** An error that a script or the browser wrote, such as a resource that could not be loaded. */
  | 'ERROR'
  /** An error that no script caught. */
  | 'EXCEPTION'
  /** Information. */
  | 'INFO'
  /** A message. */
  | 'LOG'
  /** A warning. */
  | 'WARNING';

/** A part of the content of a page. */
export type ContentFormat =
  /** The images that the whole page shows: id, URL, text alternative, natural size, category. No image is fetched again. */
  | 'IMAGES'
  /** The links in the content: each URL once, with its text. */
  | 'LINKS'
  /** Sanitized HTML with absolute URLs: the main content, or the whole visible page if the input asks for that. */
  | 'MAIN_CONTENT'
  /** The content as Markdown: tables, nested lists, code with its language, images, links. */
  | 'MARKDOWN'
  /** Metadata that the page declares about itself: byline, publication date, language, site name, canonical URL, excerpt. */
  | 'METADATA'
  /** The page as a PDF, in Base64; null for a resource that is not HTML. */
  | 'PDF'
  /** The HTML of the document as its scripts have left it, neither reduced nor sanitized: with scripts, styles and hidden parts. */
  | 'RAW_HTML'
  /** JSON-LD, microdata and OpenGraph of the page, as JSON objects. */
  | 'STRUCTURED'
  /** The content as plain text, one line for each block; list items begin with `- ` or their number. */
  | 'TEXT';

/** The content to extract from the page into `data`. Parts of `data` that you do not select are neither computed nor charged. */
export type ContentInput = {
  /** Continue a response that was cut. It is the `data.cursor` of that response. */
  cursor?: string | null | undefined;
  /** true: refuse what a consent banner asks for, if it has a button for that, before the page is read. Nothing is ever accepted. Default: false. */
  dismissBanners?: boolean | null | undefined;
  /** CSS selectors of elements to leave out. */
  exclude?: Array<string> | null | undefined;
  /** A JSON Schema whose parts have a "selector" or "label". It says where the value is, and "attribute" which attribute has it. `{price: {type: "number", selector: ".price"}}`: `data.extracted` has the values; `data.extractErrors` lists those that are missing or do not match the schema. */
  extract?: unknown;
  /** Make only these parts of `data`. GraphQL makes those of them that you select; by default all that you select. REST by default makes all but `pdf`, and images only with `scrape_images`. */
  formats?: Array<ContentFormat> | null | undefined;
  /** CSS selectors: scrape only what is in these elements, and all of it that they show. Shadow roots and frames are searched too. */
  include?: Array<string> | null | undefined;
  /** true: `mainContent` keeps the attributes `class` and `id`. Default: false. */
  keepClasses?: boolean | null | undefined;
  /** Maximum characters of each text and list. Texts are `mainContent`, `markdown`, `text`, `rawHtml`; the lists `links`, `images`, `structured` count as JSON. If there is more, `data.truncated` is true and `data.cursor` continues. 1,000 to 10,000,000. Default: 1,000,000. */
  maxCharacters?: number | null | undefined;
  /** Only the main content. Without navigation bars, footers and other boilerplate; what it is, the type of the page tells: the text of an article, the posts of a thread, the cards of a collection, the description and specification of a product. false: the whole visible page. Default: true. */
  onlyMainContent?: boolean | null | undefined;
  /** true: scroll to the end of an endless or virtual list first, for at most 30 seconds, 200,000 pixels and 5,000 rows, and read all rows. If there are more, `data.incomplete` has `rows`. Default: false. */
  scroll?: boolean | null | undefined;
};

/** A cookie. */
export type CookieInput = {
  /** The host; with a leading dot also its subdomains. Up to 255 characters. */
  domain: string;
  /** End, in seconds since the epoch. Default: a cookie of the session. -1 to 8,640,000,000,000. */
  expires?: number | null | undefined;
  /** Hidden from scripts. Default: false. */
  httpOnly?: boolean | null | undefined;
  /** Name. Up to 4,096 characters. */
  name: string;
  /** Path. Up to 1,000 characters. Default: /. */
  path?: string | null | undefined;
  /** Which requests of other sites have it. Default: lax. */
  sameSite?: SameSite | null | undefined;
  /** Only for HTTPS. Default: false. */
  secure?: boolean | null | undefined;
  /** Value. Never returned. Up to 4,096 characters. */
  value: string;
};

/** A new API key. */
export type CreateApiKeyInput = {
  /** Days until the key expires. Default: never. 1 to 3,650. */
  expiresInDays?: number | null | undefined;
  /** The name of the key. Up to 100 characters. */
  name: string;
  /** False: the sessions that the key starts do not record the console and the requests. Default: the setting of the service. */
  pageLog?: boolean | null | undefined;
  /** The policy of the key, which cannot have the scope ADMIN then. Default: none. */
  policy?: KeyPolicyInput | null | undefined;
  /** What the sessions that the key starts record, if their caller does not choose. Default: the setting of the service. */
  record?: RecordMode | null | undefined;
  /** The scopes of the key. Default READ and OPERATE. */
  scopes?: Array<KeyScope> | null | undefined;
  /** Maximum total amount charged to the key, in micro-units, above 0. Once it is reached, operations are refused with BALANCE_EXHAUSTED. Default: no limit. */
  spendCapMicros?: number | null | undefined;
};

/** The session, and what its viewers may do. */
export type CreateShareLinkInput = {
  /** Minutes after which the link ends. 1 to 10,080. Default: 60. */
  minutes?: number | null | undefined;
  /** The rights of the viewers. Default: READ. */
  mode?: ShareMode | null | undefined;
  /** The session. */
  sessionId: string | number;
};

/** A credit for an account. */
export type CreditAccountInput = {
  /** The `id` of the Account, or its id as `npm run accounts` lists it. */
  accountId: string | number;
  /** The amount in micro-units. Above 0. The balance can be at most 10^15 micro-units. */
  amountMicros: number;
  /** An invoice or transaction number. An account is credited once per reference. Up to 200 characters. */
  reference: string;
};

/** The session, the approval, and why. */
export type DenyStepInput = {
  /** The approval, as `runningOperation.approval` of the session has it. Up to 100 characters. */
  approvalId: string | number;
  /** A sentence for the agent. Default: none. Up to 500 characters. */
  reason?: string | null | undefined;
  /** The session. */
  sessionId: string | number;
};

/** The kind of a JavaScript dialog. */
export type DialogKind =
  /** `alert`: shows a message. */
  | 'ALERT'
  /** `beforeunload`: asks whether to leave the page. */
  | 'BEFOREUNLOAD'
  /** `confirm`: asks a yes-or-no question. */
  | 'CONFIRM'
  /** `prompt`: asks for a text. */
  | 'PROMPT';

/** The format of the export of a session. */
export type ExportFormat =
  /** The requests as HAR 1.2, without headers, cookies and bodies. */
  | 'HAR'
  /** The session with its events, downloads, console and requests. */
  | 'JSON'
  /** The session in Markdown, which a person can paste into a report. */
  | 'MARKDOWN';

/** The session, and its new timeout. */
export type ExtendSessionInput = {
  /** The session. */
  sessionId: string | number;
  /** Idle timeout in minutes: the session times out after this time without an operation. Above 0, below 30, and at most the global timeout of the service. The default is for a new session; an existing one keeps its timeout. Default: 5. */
  sessionTimeoutMinutes?: number | null | undefined;
};

/** All error codes, as returned in `extensions.code`. */
export type FailureCode =
  /** The account is unknown. The service has no account with this id. */
  | 'ACCOUNT_NOT_FOUND'
  /** The action cannot be performed now. The element is disabled, covered or not ready; `detail` says why. */
  | 'ACTION_BLOCKED'
  /** The action id is unknown. No action with this id was listed in this session. Observe the page first. */
  | 'ACTION_NOT_FOUND'
  /** The action is out of date. The element of the action is gone, or it means something else now. Choose an action from the new `space` in the response. */
  | 'ACTION_STALE'
  /** The approval is unknown. No step of the session waits for this approval: it is decided, its time is over, or its caller is gone. */
  | 'APPROVAL_NOT_FOUND'
  /** The step was not approved. The policy of the API key asks a person about steps of this kind; a person has denied this one, or no person approved it in time; `detail` says which. The page has not changed. */
  | 'APPROVAL_REFUSED'
  /** The service is at capacity. All browser sessions of the service are in use. Wait for the number of seconds in `Retry-After`. */
  | 'AT_CAPACITY'
  /** The balance or a spend cap is used up. The account, the key or the session has nothing left to spend; `detail` says which. Add credit, or use another key or session. Sessions can still be read and closed. */
  | 'BALANCE_EXHAUSTED'
  /** The body is too large. Send a smaller body or a smaller file. */
  | 'BODY_TOO_LARGE'
  /** The page or its browser crashed. `session` in the response says whether the session is still active. */
  | 'BROWSER_CRASHED'
  /** Too many sessions at once. The account has as many active sessions as its tier allows. Close a session, or wait until one ends. */
  | 'CONCURRENCY_LIMIT'
  /** A part of the service cannot be reached. The operation needs the database, the message bus, the keys of the issuer of access tokens or the node that runs the session; `detail` says which is missing. Nothing was done. Wait for the number of seconds in `Retry-After`. */
  | 'DEPENDENCY_UNAVAILABLE'
  /** The API key has expired. Use another key. */
  | 'EXPIRED_API_KEY'
  /** The headers are too large. The path, the query and the headers have at most 16 KiB together. Send long GraphQL queries by POST. */
  | 'HEADERS_TOO_LARGE'
  /** The service failed. Quote the request id (`request_id`, in GraphQL `requestId`) when you report it. */
  | 'INTERNAL'
  /** The API key is unknown. The key is malformed, or this service never issued it. Check that you sent the whole key. */
  | 'INVALID_API_KEY'
  /** The request is not valid HTTP. The request line, a header or the length of the body is malformed; `detail` says what. The service closes the connection. */
  | 'INVALID_HTTP'
  /** The body is not JSON. Send one JSON object as the body. */
  | 'INVALID_JSON'
  /** The API key id is unknown. No key of this account has this id. */
  | 'KEY_NOT_FOUND'
  /** The link has expired. The signed address of a file is valid for 15 minutes. Read the address again. */
  | 'LINK_EXPIRED'
  /** The method is not allowed. The `Allow` header lists the methods of this path. */
  | 'METHOD_NOT_ALLOWED'
  /** The API key is missing. Send the header "Authorization: Bearer <API_KEY>". */
  | 'MISSING_API_KEY'
  /** The page could not be loaded. The host name was not found, or the site refused or broke the connection. */
  | 'NAVIGATION_FAILED'
  /** The page did not load in time. The site was too slow. */
  | 'NAVIGATION_TIMEOUT'
  /** The node is unknown. No live node of the service has this name. `nodes` lists those that live. */
  | 'NODE_NOT_FOUND'
  /** Not found. The service has nothing at this path, or the session has no file with this id. See /docs for the paths. */
  | 'NOT_FOUND'
  /** The page has not been observed. A step needs an observation. Observe a page in this session first. */
  | 'NOT_OBSERVED'
  /** The operation took too long. It did not finish before its deadline. */
  | 'OPERATION_TIMEOUT'
  /** The request comes from another site. Only the dashboard of this service can sign in with a wallet, and pages of other sites cannot use /mcp. Programs use an API key. */
  | 'ORIGIN_REFUSED'
  /** The outcome of the operation is unknown. The node that runs the session stopped answering after it had received the operation, which may have been performed. Read the session before you decide what to do next. */
  | 'OUTCOME_UNKNOWN'
  /** The persisted operation is unknown. No operation is stored under this `documentId`. Send the text of the operation, or ask the operator to store it. */
  | 'PERSISTED_QUERY_NOT_FOUND'
  /** Only persisted operations are allowed. This service runs only GraphQL operations that its operator has stored. Send the `documentId` of one, or use REST. */
  | 'PERSISTED_QUERY_ONLY'
  /** The policy of the API key refuses this. The key may not reach the host, perform steps of this kind, or use the profile, the vault entry or the session; `detail` says which. Nothing was done. */
  | 'POLICY_REFUSED'
  /** Another session writes the profile. `detail` names the session. Close it, or open the profile with the mode `read`. */
  | 'PROFILE_IN_USE'
  /** The profile is unknown. No profile of this account has this name. A session with the profile mode `write` creates it. */
  | 'PROFILE_NOT_FOUND'
  /** The profile cannot be decrypted. It was written with another key, or by another version of the service. Restore the key, or delete the profile. */
  | 'PROFILE_UNREADABLE'
  /** The quota is used up. It is the browser minutes of the account for today (UTC), or the file space of the session or of the account; `detail` says which. Wait for the number of seconds in `Retry-After`, or change the tier. */
  | 'QUOTA_EXHAUSTED'
  /** Too many requests. Wait for the number of seconds in `Retry-After`. */
  | 'RATE_LIMITED'
  /** The record was removed. The retention time of records is over, or the owner removed it. */
  | 'RECORD_EXPIRED'
  /** The request did not arrive in time. `detail` gives the time. Send the request again. */
  | 'REQUEST_TIMEOUT'
  /** The API key was revoked. Use another key. */
  | 'REVOKED_API_KEY'
  /** The API key lacks a scope. `detail` names the scope. Use a key with that scope. */
  | 'SCOPE_DENIED'
  /** Too many operations wait in this session. Operations of a session run one after another, and eight are already waiting. Wait for their responses. */
  | 'SESSION_BUSY'
  /** The session is closed. Start a new session. */
  | 'SESSION_CLOSED'
  /** The session has failed. Its browser was lost, or it exceeded a limit; `detail` says which. Start a new session. */
  | 'SESSION_ERROR'
  /** The session is unknown. No session of this account has this id. */
  | 'SESSION_NOT_FOUND'
  /** The session timed out. It was idle for its timeout, or it reached the maximum lifetime of a session; `detail` says which. Start a new session. */
  | 'SESSION_TIMED_OUT'
  /** The share link does not work. The service does not know the link, its owner has revoked it, or its time is over. Ask the person who sent it for a new one. */
  | 'SHARE_LINK_ENDED'
  /** The service is shutting down. Try again in a few seconds. */
  | 'SHUTTING_DOWN'
  /** The disk of the service is full. The service could not write the result of the operation. Sessions can still be read and closed. Try again later, or tell the operator of the service. */
  | 'STORAGE_FULL'
  /** The subscription fell behind. The subscriber read too slowly, so that updates were dropped. Subscribe again, then list the sessions. */
  | 'SUBSCRIPTION_BEHIND'
  /** A person has the session. A person has taken the session over, or the session waits for one; `detail` says which, and who. Wait for the number of seconds in `Retry-After`, or send `wait_for_hand_back`. */
  | 'TAKEN_OVER'
  /** The take-over has ended. The person has handed the session back, was away for too long, or another person has the session now. Take the session over again. */
  | 'TAKE_OVER_ENDED'
  /** Too many connections. The service, or your network address, has as many connections as it may have. Send several requests over one connection. */
  | 'TOO_MANY_CONNECTIONS'
  /** The content type or encoding is not supported. Send "Content-Type: application/json". The body may have one Content-Encoding: gzip, deflate, br or zstd. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** The address is blocked. Private, local and reserved addresses are blocked, and so are all schemes except those of the web. */
  | 'URL_BLOCKED'
  /** The request is not valid. `errors` names each field that is not valid and says why. */
  | 'VALIDATION_ERROR'
  /** The element did not keep the value. The value was entered, but the element holds another one now; `detail` says which. Choose a value that the element accepts; the new `space` in the response shows the page. */
  | 'VALUE_REFUSED'
  /** The vault entry is unknown. No vault entry of this account has this name. */
  | 'VAULT_ENTRY_NOT_FOUND'
  /** The value of the vault was not filled. A value of the vault goes only into a field of its kind, on an origin to which its entry is bound; `detail` says what is wrong. Nothing was typed. */
  | 'VAULT_REFUSED'
  /** The awaited condition was not met in time. `wait_for`, or the special action for waiting, ran out; `space` shows the page as it is. A step was performed before the wait: do not repeat it, observe with the same `wait_for`. */
  | 'WAIT_TIMEOUT'
  /** The wallet was not accepted. The message or its signature is not valid, or the web session has ended; `detail` says which. Connect the wallet again. */
  | 'WALLET_REFUSED';

/** The place that pages read. */
export type GeolocationInput = {
  /** Metres. 0 to 100,000. Default: 0. */
  accuracy?: number | null | undefined;
  /** Degrees north. -90 to 90. */
  latitude: number;
  /** Degrees east. -180 to 180. */
  longitude: number;
};

/** The session, and the take-over. */
export type HandBackInput = {
  /** The take-over. Default: withdraw the request for a person. */
  holdId?: string | number | null | undefined;
  /** The session. */
  sessionId: string | number;
};

/** A header of the requests to one origin. */
export type HeaderInput = {
  /** The name of the header. Up to 200 characters. */
  name: string;
  /** The origin that gets it, and no other: scheme, host and port, such as `https://api.example.com`. Up to 500 characters. */
  origin: string;
  /** The value, in ASCII. Never returned. Up to 8,000 characters. */
  value: string;
};

/** The user that the browser names when one origin asks (401). */
export type HttpCredentialsInput = {
  /** The origin that gets it, and no other: scheme, host and port, such as `https://api.example.com`. Up to 500 characters. */
  origin: string;
  /** The password. Never returned. Up to 255 characters. */
  password: string;
  /** The user name. Up to 255 characters. */
  username: string;
};

/** One event of input, with the fields of its type. */
export type InputEventInput = {
  /** The button of the mouse. Default: the left one. */
  button?: MouseButton | null | undefined;
  /** Number of clicks in a row. 1 to 3. Default: 1. */
  clicks?: number | null | undefined;
  /** `KeyboardEvent.code`. Up to 40 characters. */
  code?: string | null | undefined;
  /** CSS pixels to the right. -100,000 to 100,000. */
  deltaX?: number | null | undefined;
  /** CSS pixels down. -100,000 to 100,000. */
  deltaY?: number | null | undefined;
  /** `KeyboardEvent.key`. Up to 40 characters. */
  key?: string | null | undefined;
  /** `KeyboardEvent.keyCode`; 229 for a key that an input method takes. 0 to 255. */
  keyCode?: number | null | undefined;
  /** The modifier keys that are held, as a sum: Alt 1, Control 2, Meta 4, Shift 8. 0 to 15. */
  modifiers?: number | null | undefined;
  /** The number of the option in `picker.options` of the answer, from 0. */
  option?: number | null | undefined;
  /** The fingers, at most 10. */
  points?: Array<PointInput> | null | undefined;
  /** The key repeats because it is held. Default: false. */
  repeat?: boolean | null | undefined;
  /** A text. It is stored nowhere. Up to 200,000 characters. */
  text?: string | null | undefined;
  /** The type of the event. */
  type: InputType;
  /** CSS pixels from the left of the viewport. -100,000 to 100,000. */
  x?: number | null | undefined;
  /** CSS pixels from its top. -100,000 to 100,000. */
  y?: number | null | undefined;
};

/** The type of an input event. */
export type InputType =
  /** The open dialog is accepted, a prompt with `text`, or its default without one. */
  | 'ACCEPT_DIALOG'
  /** The open picker takes its `option`, or `text` as its value; with neither it is closed. */
  | 'CHOOSE'
  /** An input method shows `text` in place of the one before; an empty text cancels it. */
  | 'COMPOSE'
  /** The open dialog is dismissed. */
  | 'DISMISS_DIALOG'
  /** A key is pressed: `key`, `code`, `keyCode`, `modifiers`, `repeat`. */
  | 'KEY_DOWN'
  /** A key is released. */
  | 'KEY_UP'
  /** A `button` of the mouse is pressed at `x`, `y`. */
  | 'MOUSE_DOWN'
  /** The mouse moves to `x`, `y`. */
  | 'MOUSE_MOVE'
  /** A `button` of the mouse is released at `x`, `y`. */
  | 'MOUSE_UP'
  /** A `text` is pasted. */
  | 'PASTE'
  /** All keys, buttons and fingers are released. */
  | 'RELEASE'
  /** A `text` is entered that no key names, or that an input method has committed. */
  | 'TEXT'
  /** The fingers are at `points`; all have left the screen if there are none. */
  | 'TOUCH'
  /** The wheel turns by `deltaX`, `deltaY` at `x`, `y`. */
  | 'WHEEL';

/** The rules of a key. An absent one allows everything. */
export type KeyPolicyInput = {
  /** The hosts that the sessions of the key may reach. Default: all. A host name or an IP address, in which `*` stands for any characters: `*.example.com` is every subdomain, not `example.com`. At most 200. */
  allowHosts?: Array<string> | null | undefined;
  /** Time for which a step waits for a person. 1 to 60. Default: 5. */
  approvalMinutes?: number | null | undefined;
  /** Hosts that they may not reach, although `allowHosts` has them. An address of such a host is another host: prefer `allowHosts`. A host name or an IP address, in which `*` stands for any characters: `*.example.com` is every subdomain, not `example.com`. At most 200. */
  denyHosts?: Array<string> | null | undefined;
  /** Kinds of steps that the key may not perform. Default: none. */
  denySteps?: Array<StepKind> | null | undefined;
  /** The methods that requests may have; GET includes HEAD and OPTIONS. WebSockets have none. Default: all. */
  methods?: Array<string> | null | undefined;
  /** Charges a day (UTC), in micro-units, then QUOTA_EXHAUSTED. Default: no limit. */
  microsPerDay?: number | null | undefined;
  /** Browser minutes a day (UTC), then QUOTA_EXHAUSTED. Default: no limit. 1 to 100,000. */
  minutesPerDay?: number | null | undefined;
  /** The profiles that the key may use. Default: all. */
  profiles?: Array<string> | null | undefined;
  /** Kinds of steps that wait for a person, who calls `approveStep` or `denyStep`; DOWNLOAD is none of them. Default: none. */
  requireApproval?: Array<StepKind> | null | undefined;
  /** The vault entries whose values its steps may fill. Default: all. */
  vaultEntries?: Array<string> | null | undefined;
};

/** A permission of an API key. */
export type KeyScope =
  /** OPERATE, and managing the API keys of the account. */
  | 'ADMIN'
  /** READ, and the operations: start, observe, step, scrape, close. */
  | 'OPERATE'
  /** Queries and subscriptions. */
  | 'READ';

/** The kind of a message of a page. */
export type MessageKind =
  /** An error or a warning: an alert, an assertive live region, or a text that the page marks as an error. */
  | 'ALERT'
  /** Other text that was not on the page at the observation before. */
  | 'APPEARED'
  /** Other text that was on the page at the observation before and is gone. */
  | 'DISAPPEARED'
  /** A remark of the service about the step, in its own words: a drag after which nothing moved, text in a combobox of which no option is chosen, a click on an element that reacts only to a double click. */
  | 'NOTE'
  /** A status, a log or a notice: a polite live region, or a text that the page marks as a notice or toast. */
  | 'STATUS'
  /** Why a field is invalid, in the words of the page, else in those of the browser. */
  | 'VALIDATION';

/** A button of the mouse. */
export type MouseButton =
  /** The left one. */
  | 'LEFT'
  /** The right one. */
  | 'RIGHT';

/** The page to observe. Pass `sessionId`, `url` or both. */
export type ObserveInput = {
  /** The actions to list in `space`. */
  actions?: ActionListInput | null | undefined;
  /** The content to extract into `data`. */
  content?: ContentInput | null | undefined;
  /** The id of an earlier observation of this session: the difference then says what has changed since. The service keeps the last eight observations. `last` names the last one, if there is one. */
  diffSince?: string | number | null | undefined;
  /** Idempotency key. A repeated request with the same key, fields and selection within 10 minutes returns the stored response, failures included. Two kinds of failures are not stored, so that you can repeat the request: those before any work was done and, except for a step, those of the service itself. The same key with other fields fails with VALIDATION_ERROR. Over HTTP the header `Idempotency-Key` can send it to the REST paths instead. Up to 255 characters. */
  idempotencyKey?: string | null | undefined;
  /** Keep the session active after this operation; false closes it. Default: a session that you name stays active; a session that this operation creates is closed. Over REST, start and close take the field and ignore it. */
  keepAlive?: boolean | null | undefined;
  /** Format and area of the screenshot. Default: a PNG of the viewport. */
  screenshot?: ScreenshotInput | null | undefined;
  /** The session. Default: a new one. */
  sessionId?: string | number | null | undefined;
  /** Idle timeout in minutes: the session times out after this time without an operation. Above 0, below 30, and at most the global timeout of the service. The default is for a new session; an existing one keeps its timeout. Default: 5. */
  sessionTimeoutMinutes?: number | null | undefined;
  /** The URL to open. Default: the current page. It is absolute. Up to 16,384 characters. */
  url?: string | null | undefined;
  /** A condition that must be met before the page is read: `text "Saved"`, `no text "Loading"`, `action "Checkout"`, `no action "Cancel"` or `network quiet`. If it is not met in time, the operation fails with WAIT_TIMEOUT; a step has then been performed. Up to 1,000 characters. */
  waitFor?: string | null | undefined;
  /** While a person has the session or is awaited: wait until they hand it back, up to the deadline of the operation, instead of failing with TAKEN_OVER at once. Default: false. */
  waitForHandBack?: boolean | null | undefined;
  /** Maximum wait for what the operation has begun (requests, timers, what the page calls loading), and for `waitFor`, in milliseconds. Default: 5000 for the former, 10000 for `waitFor`. What still goes on then is in `space.pending`. 0 to 60,000. */
  waitMs?: number | null | undefined;
};

/** The type of a parameter. Every value is passed as text. */
export type ParamType =
  /** `true` or `false`. */
  | 'BOOLEAN'
  /** A color: `#rrggbb`. */
  | 'COLOR'
  /** An ISO date, month, week or date and time, depending on the input: `2026-03-09`. */
  | 'DATE'
  /** The id of an uploaded file. */
  | 'FILE'
  /** A number. */
  | 'NUMBER'
  /** One of `values`. */
  | 'OPTION'
  /** Several of `values`, one per line. */
  | 'OPTIONS'
  /** A number in the range that `values` states. */
  | 'RANGE'
  /** Any text. */
  | 'STRING'
  /** An ISO time: `14:05`. */
  | 'TIME';

/** A permission that pages have without a prompt. */
export type Permission =
  /** The accelerometer. */
  | 'ACCELEROMETER'
  /** The ambient light sensor. */
  | 'AMBIENT_LIGHT_SENSOR'
  /** The camera; the machine has none. */
  | 'CAMERA'
  /** The location, which `geolocation` sets. */
  | 'GEOLOCATION'
  /** The gyroscope. */
  | 'GYROSCOPE'
  /** The magnetometer. */
  | 'MAGNETOMETER'
  /** The microphone; the machine has none. */
  | 'MICROPHONE'
  /** Cookies and storage of a frame of another site. */
  | 'STORAGE_ACCESS';

/** The kind of an open picker. */
export type PickerType =
  /** A colour: `#ff8800`. */
  | 'COLOR'
  /** A date: `2026-03-09`. */
  | 'DATE'
  /** A date with a time: `2026-03-09T14:05`. */
  | 'DATETIME_LOCAL'
  /** A month: `2026-03`. */
  | 'MONTH'
  /** A drop-down list. */
  | 'SELECT'
  /** A text field with suggestions. */
  | 'SUGGESTIONS'
  /** A time: `14:05`. */
  | 'TIME'
  /** A week: `2026-W11`. */
  | 'WEEK';

/** A point of the viewport. */
export type PointInput = {
  /** CSS pixels from the left of the viewport. -100,000 to 100,000. */
  x: number;
  /** CSS pixels from its top. -100,000 to 100,000. */
  y: number;
};

/** A profile, and what the session does with it. */
export type ProfileInput = {
  /** The use of the profile: to read it, or to change it too. Default: read. */
  mode?: ProfileMode | null | undefined;
  /** The name of the profile. */
  name: string;
};

/** The ways in which a session uses a profile. */
export type ProfileMode =
  /** The profile stays as it is. Any number of sessions can read it. */
  | 'READ'
  /** What the browser keeps is written within seconds of each operation, and at the end; a new profile is created. One session at a time; another one is PROFILE_IN_USE. */
  | 'WRITE';

/** A proxy for the requests of a session. The proxy receives IP addresses; host names are resolved here. Blocked addresses stay blocked, and the proxy itself must have an allowed address. */
export type ProxyInput = {
  /** The password of that user, up to 255 bytes. Requires `username`. Never returned. */
  password?: string | null | undefined;
  /** The URL of the proxy: `http://proxy.example:3128`, `https://…` or `socks5://…`. The proxy must allow CONNECT to the ports of the pages, port 80 included. Up to 1,000 characters. */
  server: string;
  /** The user name for the proxy, up to 255 bytes, without a colon. Never returned. */
  username?: string | null | undefined;
};

/** The pictures that the record of a session keeps. The record has the lists in each mode. */
export type RecordMode =
  /** No pictures. */
  | 'OFF'
  /** A picture of the page at the end of each operation. */
  | 'STEPS'
  /** As `steps`, and at most two pictures a second while the page changes. */
  | 'VIDEO';

/** The value of `prefers-reduced-motion`. */
export type ReducedMotion =
  /** No preference. */
  | 'NO_PREFERENCE'
  /** Less motion. */
  | 'REDUCE';

/** Who gave the response to a request. */
export type ResponseSource =
  /** A cache of the browser. */
  | 'CACHE'
  /** The server. */
  | 'NETWORK'
  /** A service worker of the site. */
  | 'SERVICE_WORKER';

/** The session, and its link. */
export type RevokeShareLinkInput = {
  /** The link. */
  linkId: string | number;
  /** The session. */
  sessionId: string | number;
};

/** Which requests of other sites have the cookie. */
export type SameSite =
  /** Those that open a page. */
  | 'LAX'
  /** All; needs `secure`. */
  | 'NONE'
  /** None. */
  | 'STRICT';

/** The image format of a screenshot. */
export type ScreenshotFormat =
  /** JPEG: smaller, lossy. */
  | 'JPEG'
  /** PNG: lossless. */
  | 'PNG';

/** Options of the screenshot. The service takes one only if you select `screenshot`. */
export type ScreenshotInput = {
  /** Image format. Default: png. */
  format?: ScreenshotFormat | null | undefined;
  /** Capture the whole page instead of the viewport, up to 16,384 pixels in each direction and 32 million pixels in total. Default: false. */
  fullPage?: boolean | null | undefined;
  /** JPEG quality. 1 to 100. Default: 80. */
  quality?: number | null | undefined;
  /** false: take no screenshot although the operation selects `screenshot`; the step S3 still takes one. For documents with a fixed selection. Default: true. */
  take?: boolean | null | undefined;
};

/** The take-over, and the events. */
export type SendInputInput = {
  /** The events in their order, at most 1,000. */
  events: Array<InputEventInput>;
  /** The take-over, as `takeOver` returned it. */
  holdId: string | number;
  /** The session. */
  sessionId: string | number;
};

/** The type of a session event. Each has an object type of its own: STEPPED is a `SessionSteppedEvent`. */
export type SessionEventType =
  /** The service blocked a request to a forbidden address, or a download above a limit. */
  | 'BLOCKED'
  /** The session was started. */
  | 'CREATED'
  /** The page opened a dialog. */
  | 'DIALOG'
  /** A page of the session downloaded a file. */
  | 'DOWNLOAD'
  /** The session was closed, timed out or failed. */
  | 'ENDED'
  /** An operation failed. */
  | 'FAILED'
  /** A person handed the session back, or a request for a person ended. */
  | 'HANDED_BACK'
  /** A page was observed. */
  | 'OBSERVED'
  /** The record of the session stopped: the disk is full, or a limit is reached. The session continues. */
  | 'RECORD_STOPPED'
  /** The content of a page was scraped. */
  | 'SCRAPED'
  /** An action was performed. */
  | 'STEPPED'
  /** A tab was opened or closed. */
  | 'TAB'
  /** A person took the session over. */
  | 'TAKEN_OVER'
  /** The agent asked for a person. */
  | 'TAKE_OVER_REQUESTED';

/** The status of a session. All except ACTIVE are final. */
export type SessionStatus =
  /** Accepts operations. */
  | 'ACTIVE'
  /** Ended by `closeSession`, by an operation that closes the session, by the step S8, or by an orderly shutdown of the service. */
  | 'CLOSED'
  /** Ended because its browser or page was lost, because it exceeded a limit of the service (pages, requests, traffic, memory, processor time), or because the service was killed; `error` says which. */
  | 'ERROR'
  /** Ended by its idle timeout, or by the maximum lifetime that the service sets. */
  | 'TIMED_OUT';

/** What the viewers of a share link may do. */
export type ShareMode =
  /** See it, and take the session over. */
  | 'CONTROL'
  /** See the live picture of the session. */
  | 'READ';

/** The kind of page. */
export type SpaceCategory =
  /** Sign-in or sign-up. */
  | 'AUTH'
  /** A CAPTCHA. */
  | 'CAPTCHA'
  /** A list of similar items: posts, products, messages, rows. */
  | 'DATA_FEED'
  /** A form to fill in. */
  | 'FORM'
  /** The front page of a site. */
  | 'HOMEPAGE'
  /** A single item: an article, a product, a profile. */
  | 'ITEM'
  /** A cookie or consent dialog. */
  | 'MANAGE_COOKIES'
  /** None of these. */
  | 'OTHER'
  /** A payment. */
  | 'PAYMENT'
  /** Search results. */
  | 'SEARCH_RESULTS';

/** Options of a new session. Every field is optional. */
export type StartSessionInput = {
  /** Kinds of requests that are not sent, by tabs, popups, frames and workers. It turns off the HTTP cache of the session. */
  block?: Array<BlockedKind> | null | undefined;
  /** The value of `prefers-color-scheme`. Default: LIGHT. */
  colorScheme?: ColorScheme | null | undefined;
  /** Cookies that the session gets, at most 1,000. */
  cookies?: Array<CookieInput> | null | undefined;
  /** A device of Playwright's table: its viewport, scale, touch and user agent, drawn by Chromium. `viewport` and `userAgent` go before it. Up to 100 characters. */
  device?: string | null | undefined;
  /** true: refuse what a consent banner asks for, if it has a button for that, on each page that is opened by its address or scraped. Nothing is ever accepted. Default: false. */
  dismissBanners?: boolean | null | undefined;
  /** The place that pages read; it gives them the permission `geolocation`. */
  geolocation?: GeolocationInput | null | undefined;
  /** Headers of the requests to an origin, at most 50; redirects to other origins lose them, and WebSockets do not have them. They turn off the HTTP cache of the session. */
  headers?: Array<HeaderInput> | null | undefined;
  /** User names and passwords for origins that ask (401), at most 50. They turn off the HTTP cache. */
  httpCredentials?: Array<HttpCredentialsInput> | null | undefined;
  /** Idempotency key. A repeated request with the same key, fields and selection within 10 minutes returns the stored response, failures included. Two kinds of failures are not stored, so that you can repeat the request: those before any work was done and, except for a step, those of the service itself. The same key with other fields fails with VALIDATION_ERROR. Over HTTP the header `Idempotency-Key` can send it to the REST paths instead. Up to 255 characters. */
  idempotencyKey?: string | null | undefined;
  /** Labels of the session, for lists: at most 16, each of 1 to 64 characters. */
  labels?: Array<string> | null | undefined;
  /** Language of pages and of their requests (BCP 47). Default: en-US. Up to 35 characters. */
  locale?: string | null | undefined;
  /** Maximum lifetime in minutes: the session ends then, even if it is in use. At most the maximum of the service. Default: that maximum, if there is one. 1 to 10,080. */
  maxLifetimeMinutes?: number | null | undefined;
  /** Name of the session, for lists. Up to 200 characters. */
  name?: string | null | undefined;
  /** Permissions of all pages, which replace the present ones. Others are denied. */
  permissions?: Array<Permission> | null | undefined;
  /** A profile of the account: the session begins with its cookies (session cookies too), localStorage and IndexedDB. Other storage, such as caches and service workers, is not kept. */
  profile?: ProfileInput | null | undefined;
  /** A proxy for the requests of the session. Default: the service connects directly. */
  proxy?: ProxyInput | null | undefined;
  /** The pictures that the record of the session keeps. Default: `PAGESPACE_RECORD`. */
  record?: RecordMode | null | undefined;
  /** The value of `prefers-reduced-motion`. Default: NO_PREFERENCE. */
  reducedMotion?: ReducedMotion | null | undefined;
  /** Format and area of the screenshot. Default: a PNG of the viewport. */
  screenshot?: ScreenshotInput | null | undefined;
  /** Idle timeout in minutes: the session times out after this time without an operation. Above 0, below 30, and at most the global timeout of the service. The default is for a new session; an existing one keeps its timeout. Default: 5. */
  sessionTimeoutMinutes?: number | null | undefined;
  /** Maximum that the session may cost, in micro-units, above 0. Once it is reached, operations in the session are refused with BALANCE_EXHAUSTED. Default: no limit. */
  spendCapMicros?: number | null | undefined;
  /** Cookies, localStorage and IndexedDB in the form of Playwright's `storageState`, up to 4 MB: the session begins with them. */
  storageState?: unknown;
  /** Time zone of pages (IANA). Default: that of the service. Up to 60 characters. */
  timezone?: string | null | undefined;
  /** The absolute URL to open at once. If it does not open, no session is started. Default: none. Up to 16,384 characters. */
  url?: string | null | undefined;
  /** The user agent of pages, workers and their requests; the client hints and the platform follow it. Two requests do not tell it: the browser looks for a new version of a service worker with the default, and the first request of a window that a service worker answers has blank client hints. Default: that of Chromium. Up to 500 characters. */
  userAgent?: string | null | undefined;
  /** Size of the page in CSS pixels. Default: that of `device`, else 1280 x 720. */
  viewport?: ViewportInput | null | undefined;
};

/** The action to perform, and its value. */
export type StepInput = {
  /** The id of an action of the latest observation: `L1`, `B2`, `I3`, `S4`. */
  actionId: string | number;
  /** The actions to list in `space`. */
  actions?: ActionListInput | null | undefined;
  /** The content to extract into `data`, after every action. Without it only S2 (scrape) returns `data`. */
  content?: ContentInput | null | undefined;
  /** The id of an earlier observation of this session: the difference then says what has changed since. The service keeps the last eight observations. `last` names the last one, if there is one. */
  diffSince?: string | number | null | undefined;
  /** Press Enter after the value. Default: false. */
  enter?: boolean | null | undefined;
  /** Idempotency key. A repeated request with the same key, fields and selection within 10 minutes returns the stored response, failures included. Two kinds of failures are not stored, so that you can repeat the request: those before any work was done and, except for a step, those of the service itself. The same key with other fields fails with VALIDATION_ERROR. Over HTTP the header `Idempotency-Key` can send it to the REST paths instead. Up to 255 characters. */
  idempotencyKey?: string | null | undefined;
  /** Keep the session active after this operation; false closes it. Default: a session that you name stays active; a session that this operation creates is closed. Over REST, start and close take the field and ignore it. */
  keepAlive?: boolean | null | undefined;
  /** Values by parameter name, for actions that take several, such as S17. `value` sets the first parameter that is missing here. */
  params?: { readonly [name: string]: string | number | boolean } | null | undefined;
  /** Format and area of the screenshot. Default: a PNG of the viewport. */
  screenshot?: ScreenshotInput | null | undefined;
  /** The session. */
  sessionId: string | number;
  /** Idle timeout in minutes: the session times out after this time without an operation. Above 0, below 30, and at most the global timeout of the service. The default is for a new session; an existing one keeps its timeout. Default: 5. */
  sessionTimeoutMinutes?: number | null | undefined;
  /**
   * A text, an option, `true` or `false`, a date or time, or the id of an upload. Dates and times are in ISO form. Several options or ids: one per line. Up to 1,000,000 characters; the whole request must also fit the body limit of the service in bytes (default 1 MiB). A click takes none, or a point `x,y` in pixels from the top left corner of the element. A media player takes `play`, `pause`, `mute`, `unmute`, `seek 12` (seconds) or `volume 40` (per cent). Special actions:
   *
   * - S1 goto, required: a web address
   * - S7 wait, required: a number of seconds
   * - S9 scroll down, optional: pixels, or the id of a scrollable region, with pixels (`B4 300`) or without. Without a value: one page. A region that only scrolls sideways scrolls sideways.
   * - S10 scroll up, optional: as for S9
   * - S11 press key, required: a key such as Enter or Control+A
   * - S12 switch tab, required: the id of a tab
   * - S14 accept dialog, optional: the answer to a prompt; without a value: the answer that the prompt proposes
   * - S16 hover, required: the id of an element (`B1`), a point of it in pixels from its top left corner (`B1@5,5`), a time of a day that takes one (`B1 10:30`), a point of the visible page (`@400,300`), or quoted words that the page shows (`"Report"`). Keys that are held meanwhile (`Shift`, `Control`, `Alt`, `Meta`) stand before it: `Shift+B1`, `Control+Alt+B1@5,5`.
   * - S17 drag, required: two ids such as `B1,B2`, points such as `B1@5,5 -> B2@40,8` or `@10,10 -> @90,40`, times of days such as `B1 10:00 -> B1 11:30`, uploads and a target such as `U1 -> B2` or `U1 -> "Drop here"`, or quoted text of the page or of a field. With stops in between, `B1@0,0 -> B1@9,5 -> B1@0,9`, the pointer passes them in order. An item dropped onto another item of its list or grid takes that item's position. Keys that are held meanwhile stand before the first: `Alt+B1 -> B2`. `U1,U2 -> B2` drops these uploads as files. In GraphQL also as `params` `from` and `to`. Quoted text is selected (an editor's text first): `"from here"`, `"from here" -> "to there"`, or within one element `I1 "here"`.
   * - S18 double click, required: as for S16
   * - S19 right click, required: as for S16
   * - S20 press and hold, required: as for S16; then the number of seconds. `B1 2` holds for two seconds. Without a number: one second.
   * - S21 click, required: as for S16
   * - S22 wheel, required: as for S16; then the pixels down, or the pixels right and down. `B1 300` turns it down by 300 pixels, `B1 -300` up, `B1 100,0` to the right.
   * - S23 type text, required: the text to type. It is added to what the focused element contains. With `enter`, Enter is pressed after it.
   * - S24 wait for, required: the condition: `text "Saved"`, `no text "Loading"`, `action "Checkout"`, `no action "Cancel"` or `network quiet`. It is met at the latest after `wait_ms` (default 10000 ms), else WAIT_TIMEOUT.
   * - S25 choose files, required: the ids of uploads, such as `U1` or `U1,U2`. A file input that is listed takes the ids itself. Up to 1,000,000 characters.
   */
  value?: string | null | undefined;
  /** A condition that must be met before the page is read: `text "Saved"`, `no text "Loading"`, `action "Checkout"`, `no action "Cancel"` or `network quiet`. If it is not met in time, the operation fails with WAIT_TIMEOUT; a step has then been performed. Up to 1,000 characters. */
  waitFor?: string | null | undefined;
  /** While a person has the session or is awaited: wait until they hand it back, up to the deadline of the operation, instead of failing with TAKEN_OVER at once. Default: false. */
  waitForHandBack?: boolean | null | undefined;
  /** Maximum wait for what the operation has begun (requests, timers, what the page calls loading), and for `waitFor`, in milliseconds. Default: 5000 for the former, 10000 for `waitFor`. What still goes on then is in `space.pending`. 0 to 60,000. */
  waitMs?: number | null | undefined;
};

/** A kind of steps that a policy can name. */
export type StepKind =
  /** Downloads: none is kept. */
  | 'DOWNLOAD'
  /** Pressing the button of a form, and Enter. Requests have methods that change nothing, too. */
  | 'SUBMIT'
  /** Uploads, and steps that put files into a page. */
  | 'UPLOAD'
  /** Filling a value of the vault. */
  | 'VAULT'
  /** Every step that acts on a page: all except those that open, read, scroll, wait or change tabs. */
  | 'WRITE';

/** The session, and the person. */
export type TakeOverInput = {
  /** A take-over that this person has, to go on with it. */
  holdId?: string | number | null | undefined;
  /** The name of the person, for the others and for the events. Up to 60 characters. */
  name: string;
  /** The session. */
  sessionId: string | number;
};

/** Whether a person has the session. */
export type TakeOverStatus =
  /** A person has the session. */
  | 'HELD'
  /** The agent has asked for a person, and nobody has come yet. */
  | 'WAITING';

/** The pricing tier of an account: its limits and what it pays. */
export type Tier =
  /** For testing: limited sessions, requests and browser time. No charges. */
  | 'FREE'
  /** No limits and no charges. The account that the first start of the service creates. */
  | 'LOCAL'
  /** For production: configurable limits; each operation is charged to the balance. */
  | 'PAY_AS_YOU_GO';

/** The session, and what to change. */
export type UpdateSessionInput = {
  /** Kinds of requests that are not sent, by tabs, popups, frames and workers. It turns off the HTTP cache of the session. */
  block?: Array<BlockedKind> | null | undefined;
  /** Cookies that the session gets, at most 1,000. */
  cookies?: Array<CookieInput> | null | undefined;
  /** The place that pages read; it gives them the permission `geolocation`. */
  geolocation?: GeolocationInput | null | undefined;
  /** Headers of the requests to an origin, at most 50; redirects to other origins lose them, and WebSockets do not have them. They turn off the HTTP cache of the session. */
  headers?: Array<HeaderInput> | null | undefined;
  /** Labels of the session, for lists: at most 16, each of 1 to 64 characters. */
  labels?: Array<string> | null | undefined;
  /** Name of the session, for lists. Up to 200 characters. */
  name?: string | null | undefined;
  /** Permissions of all pages, which replace the present ones. Others are denied. */
  permissions?: Array<Permission> | null | undefined;
  /** The session. */
  sessionId: string | number;
  /** Size of the page in CSS pixels. Default: that of `device`, else 1280 x 720. */
  viewport?: ViewportInput | null | undefined;
};

/** The grouping of usage. */
export type UsageBy =
  /** By day (UTC). */
  | 'DAY'
  /** By hour (UTC). */
  | 'HOUR'
  /** By API key of the request; for idle time the key that started the session. */
  | 'KEY'
  /** By kind of operation. */
  | 'KIND'
  /** By session. */
  | 'SESSION';

/** The size of the page in CSS pixels. */
export type ViewportInput = {
  /** Height. 100 to 4,096. */
  height: number;
  /** Width. 100 to 4,096. */
  width: number;
};

export type DashCallerFragment = { kind: CallerKind, keyId: string, keyName: string | null };

export type DashSharedFragment = { id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null };

export type DashSessionRowFragment = { createdAt: string, labels: Array<string>, id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, actionId: string, description: string | null, value: string | null, until: string } | null } | null, usage: { operations: number, priceMicros: number }, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null };

export type DashTabFragment = { id: string, title: string, url: string, active: boolean };

export type DashActionFragment = { id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null };

export type DashSpaceFragment = { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null };

export type DashViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type DashViewerQuery = { viewer: { keyId: string, scopes: Array<KeyScope>, account: { name: string, tier: Tier, balanceMicros: number, limits: { sessionsAtOnce: number | null, requestsPerMinute: number | null, browserMinutesPerDay: number | null, timeoutMinutes: number | null } } } };

export type DashSessionsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  status?: Array<SessionStatus> | SessionStatus | null | undefined;
  search?: string | null | undefined;
  name?: string | null | undefined;
  labels?: Array<string> | string | null | undefined;
  keyId?: string | number | null | undefined;
  hasFailures?: boolean | null | undefined;
  createdFrom?: string | null | undefined;
}>;


export type DashSessionsQuery = { sessions: { totalCount: number, edges: Array<{ node: { createdAt: string, labels: Array<string>, id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, actionId: string, description: string | null, value: string | null, until: string } | null } | null, usage: { operations: number, priceMicros: number }, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type DashSessionChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type DashSessionChangesSubscription = { sessionChanged: { createdAt: string, labels: Array<string>, id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, actionId: string, description: string | null, value: string | null, until: string } | null } | null, usage: { operations: number, priceMicros: number }, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null } };

export type DashFramesSubscriptionVariables = Exact<{
  sessionId: string | number;
  maxWidth?: number | null | undefined;
  quality?: number | null | undefined;
}>;


export type DashFramesSubscription = { sessionFrames: { at: string, image: string, tabId: string | null, width: number, height: number } };

export type DashSessionQueryVariables = Exact<{
  id: string | number;
}>;


export type DashSessionQuery = { session: { observedAt: string | null, record: RecordMode, pageLog: boolean, createdAt: string, labels: Array<string>, id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }>, downloads: Array<{ id: string, name: string, bytes: number, createdAt: string, url: string }>, uploads: Array<{ id: string, name: string, bytes: number, createdAt: string }>, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, actionId: string, description: string | null, value: string | null, until: string } | null } | null, usage: { operations: number, priceMicros: number }, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null } | null };

export type DashSessionChangeSubscriptionVariables = Exact<{
  sessionId: string | number;
}>;


export type DashSessionChangeSubscription = { sessionChanged: { observedAt: string | null, createdAt: string, labels: Array<string>, id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }>, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, actionId: string, description: string | null, value: string | null, until: string } | null } | null, usage: { operations: number, priceMicros: number }, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null } };

type DashEvent_SessionBlockedEvent_Fragment = { __typename: 'SessionBlockedEvent', detail: string, id: string, seq: number, at: string, type: SessionEventType, blockedUrl: string, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionCreatedEvent_Fragment = { __typename: 'SessionCreatedEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionDialogEvent_Fragment = { __typename: 'SessionDialogEvent', kind: DialogKind, message: string, id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionDownloadEvent_Fragment = { __typename: 'SessionDownloadEvent', downloadId: string, fileName: string, id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionEndedEvent_Fragment = { __typename: 'SessionEndedEvent', status: SessionStatus, reason: string | null, id: string, seq: number, at: string, type: SessionEventType, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionFailedEvent_Fragment = { __typename: 'SessionFailedEvent', operation: string, id: string, seq: number, at: string, type: SessionEventType, failure: { code: FailureCode, title: string, detail: string }, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionHandedBackEvent_Fragment = { __typename: 'SessionHandedBackEvent', inputs: number, navigations: number, id: string, seq: number, at: string, type: SessionEventType, handedBackBy: string | null, handBackReason: string | null, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionObservedEvent_Fragment = { __typename: 'SessionObservedEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionRecordStoppedEvent_Fragment = { __typename: 'SessionRecordStoppedEvent', id: string, seq: number, at: string, type: SessionEventType, recordReason: string, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionScrapedEvent_Fragment = { __typename: 'SessionScrapedEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionSteppedEvent_Fragment = { __typename: 'SessionSteppedEvent', id: string, seq: number, at: string, type: SessionEventType, action: { id: string, description: string | null }, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionTabEvent_Fragment = { __typename: 'SessionTabEvent', tabId: string, opened: boolean, id: string, seq: number, at: string, type: SessionEventType, tabUrl: string, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionTakeOverRequestedEvent_Fragment = { __typename: 'SessionTakeOverRequestedEvent', instructions: string, id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

type DashEvent_SessionTakenOverEvent_Fragment = { __typename: 'SessionTakenOverEvent', id: string, seq: number, at: string, type: SessionEventType, takenOverBy: string | null, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null };

export type DashEventFragment =
  | DashEvent_SessionBlockedEvent_Fragment
  | DashEvent_SessionCreatedEvent_Fragment
  | DashEvent_SessionDialogEvent_Fragment
  | DashEvent_SessionDownloadEvent_Fragment
  | DashEvent_SessionEndedEvent_Fragment
  | DashEvent_SessionFailedEvent_Fragment
  | DashEvent_SessionHandedBackEvent_Fragment
  | DashEvent_SessionObservedEvent_Fragment
  | DashEvent_SessionRecordStoppedEvent_Fragment
  | DashEvent_SessionScrapedEvent_Fragment
  | DashEvent_SessionSteppedEvent_Fragment
  | DashEvent_SessionTabEvent_Fragment
  | DashEvent_SessionTakeOverRequestedEvent_Fragment
  | DashEvent_SessionTakenOverEvent_Fragment
;

export type DashEventsSubscriptionVariables = Exact<{
  sessionId: string | number;
  after?: number | null | undefined;
}>;


export type DashEventsSubscription = { sessionEvents:
    | { __typename: 'SessionBlockedEvent', detail: string, id: string, seq: number, at: string, type: SessionEventType, blockedUrl: string, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionCreatedEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionDialogEvent', kind: DialogKind, message: string, id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionDownloadEvent', downloadId: string, fileName: string, id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionEndedEvent', status: SessionStatus, reason: string | null, id: string, seq: number, at: string, type: SessionEventType, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionFailedEvent', operation: string, id: string, seq: number, at: string, type: SessionEventType, failure: { code: FailureCode, title: string, detail: string }, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionHandedBackEvent', inputs: number, navigations: number, id: string, seq: number, at: string, type: SessionEventType, handedBackBy: string | null, handBackReason: string | null, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionObservedEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionRecordStoppedEvent', id: string, seq: number, at: string, type: SessionEventType, recordReason: string, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionScrapedEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionSteppedEvent', id: string, seq: number, at: string, type: SessionEventType, action: { id: string, description: string | null }, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionTabEvent', tabId: string, opened: boolean, id: string, seq: number, at: string, type: SessionEventType, tabUrl: string, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionTakeOverRequestedEvent', instructions: string, id: string, seq: number, at: string, type: SessionEventType, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionTakenOverEvent', id: string, seq: number, at: string, type: SessionEventType, takenOverBy: string | null, performed: { durationMs: number, observationId: string | null, title: string | null, url: string | null, console: string | null, downloads: Array<string>, caller: { kind: CallerKind, keyId: string, keyName: string | null }, timing: { queueMs: number | null, navigationMs: number | null, actionMs: number | null, settlingMs: number | null, readingMs: number | null }, input: { actionId: string | null, name: string | null, role: string | null, value: string | null, enter: boolean, params: unknown, url: string | null }, messages: Array<{ kind: string, text: string }> } | null }
   };

export type DashEventMomentQueryVariables = Exact<{
  sessionId: string | number;
  eventId: string | number;
}>;


export type DashEventMomentQuery = { session: { event:
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
      | { id: string, seq: number, performed: { picture: { url: string } | null, diff: { markdown: string, added: Array<{ id: string }>, changed: Array<{ id: string }>, removed: Array<{ id: string, description: string }> } | null, observation: { id: string, at: string, title: string, url: string, space: { category: SpaceCategory, description: string, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string }>, browserActions: Array<{ id: string, description: string }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, isNew: boolean }>, pending: { requests: Array<string>, busy: Array<string>, navigation: string | null }, console: { errors: number, first: string } | null } } | null } | null }
     } | null };

export type DashAnswerFragment = { id: string, session: { id: string, status: SessionStatus }, metadata: { url: string, title: string, httpStatus: number | null }, space: { totalActions: number } | null, diff: { markdown: string } | null };

export type DashStepMutationVariables = Exact<{
  input: StepInput;
}>;


export type DashStepMutation = { step: { id: string, session: { id: string, status: SessionStatus }, metadata: { url: string, title: string, httpStatus: number | null }, space: { totalActions: number } | null, diff: { markdown: string } | null } };

export type DashObserveMutationVariables = Exact<{
  input: ObserveInput;
}>;


export type DashObserveMutation = { observe: { id: string, session: { id: string, status: SessionStatus }, metadata: { url: string, title: string, httpStatus: number | null }, space: { totalActions: number } | null, diff: { markdown: string } | null } };

export type DashStartMutationVariables = Exact<{
  input: StartSessionInput;
}>;


export type DashStartMutation = { startSession: { createdAt: string, labels: Array<string>, id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, actionId: string, description: string | null, value: string | null, until: string } | null } | null, usage: { operations: number, priceMicros: number }, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null } };

export type DashExtendMutationVariables = Exact<{
  input: ExtendSessionInput;
}>;


export type DashExtendMutation = { extendSession: { createdAt: string, labels: Array<string>, id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, actionId: string, description: string | null, value: string | null, until: string } | null } | null, usage: { operations: number, priceMicros: number }, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null } };

export type DashRenameMutationVariables = Exact<{
  input: UpdateSessionInput;
}>;


export type DashRenameMutation = { updateSession: { createdAt: string, labels: Array<string>, id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, actionId: string, description: string | null, value: string | null, until: string } | null } | null, usage: { operations: number, priceMicros: number }, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null } };

export type DashCloseMutationVariables = Exact<{
  input: CloseSessionInput;
}>;


export type DashCloseMutation = { closeSession: { createdAt: string, labels: Array<string>, id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, actionId: string, description: string | null, value: string | null, until: string } | null } | null, usage: { operations: number, priceMicros: number }, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null } };

export type DashTakeOverMutationVariables = Exact<{
  input: TakeOverInput;
}>;


export type DashTakeOverMutation = { takeOver: { holdId: string } };

export type DashApproveMutationVariables = Exact<{
  input: ApproveStepInput;
}>;


export type DashApproveMutation = { approveStep: { id: string } };

export type DashDenyMutationVariables = Exact<{
  input: DenyStepInput;
}>;


export type DashDenyMutation = { denyStep: { id: string } };

export type DashHandBackMutationVariables = Exact<{
  input: HandBackInput;
}>;


export type DashHandBackMutation = { handBack: { id: string } };

export type DashSendInputMutationVariables = Exact<{
  input: SendInputInput;
}>;


export type DashSendInputMutation = { sendInput: { copied: string | null, picker: { type: PickerType, value: string, min: string, max: string, step: string, options: Array<{ label: string, selected: boolean, disabled: boolean }> } | null } };

export type DashHoldSubscriptionVariables = Exact<{
  sessionId: string | number;
  holdId: string | number;
}>;


export type DashHoldSubscription = { holdSession: { id: string } };

export type DashSharedSessionQueryVariables = Exact<{
  id: string | number;
}>;


export type DashSharedSessionQuery = { session: { id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null } | null };

export type DashSharedChangeSubscriptionVariables = Exact<{
  sessionId: string | number;
}>;


export type DashSharedChangeSubscription = { sessionChanged: { id: string, status: SessionStatus, error: string | null, endReason: string | null, expiresAt: string | null, url: string | null, pageTitle: string | null, name: string | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null } };

export type DashShareLinkFragment = { id: string, mode: ShareMode, createdAt: string, expiresAt: string, revokedAt: string | null, views: number, viewers: number };

export type DashShareLinksQueryVariables = Exact<{
  id: string | number;
}>;


export type DashShareLinksQuery = { session: { shareLinks: Array<{ id: string, mode: ShareMode, createdAt: string, expiresAt: string, revokedAt: string | null, views: number, viewers: number }> } | null };

export type DashCreateShareLinkMutationVariables = Exact<{
  input: CreateShareLinkInput;
}>;


export type DashCreateShareLinkMutation = { createShareLink: { path: string, link: { id: string, mode: ShareMode, createdAt: string, expiresAt: string, revokedAt: string | null, views: number, viewers: number } } };

export type DashRevokeShareLinkMutationVariables = Exact<{
  input: RevokeShareLinkInput;
}>;


export type DashRevokeShareLinkMutation = { revokeShareLink: { id: string, mode: ShareMode, createdAt: string, expiresAt: string, revokedAt: string | null, views: number, viewers: number } };

export type DashKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type DashKeysQuery = { viewer: { keyId: string, scopes: Array<KeyScope>, account: { keys: Array<{ id: string, name: string, prefix: string, scopes: Array<KeyScope>, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, spentMicros: number, spendCapMicros: number | null }> } } };

export type DashCreateKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type DashCreateKeyMutation = { createApiKey: { key: string, apiKey: { id: string, name: string } } };

export type DashRevokeKeyMutationVariables = Exact<{
  id: string | number;
}>;


export type DashRevokeKeyMutation = { revokeApiKey: { id: string, revokedAt: string | null } };

export type DashUsageQueryVariables = Exact<{
  from?: string | null | undefined;
  to?: string | null | undefined;
  by?: UsageBy | null | undefined;
}>;


export type DashUsageQuery = { viewer: { account: { tier: Tier, balanceMicros: number, limits: { sessionsAtOnce: number | null, requestsPerMinute: number | null, browserMinutesPerDay: number | null, timeoutMinutes: number | null }, usage: { from: string, to: string, total: { operations: number, browserMs: number, priceMicros: number }, groups: Array<{ name: string, usage: { operations: number, browserMs: number, priceMicros: number } }> } } } };

export type DashTryMutationVariables = Exact<{
  input: ObserveInput;
}>;


export type DashTryMutation = { observe: { screenshot: string | null, session: { id: string }, metadata: { title: string, url: string }, space: { markdown: string, totalActions: number, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }> } | null } };

export type DashOperatorQueryVariables = Exact<{ [key: string]: never; }>;


export type DashOperatorQuery = { service: { version: string, startedAt: string, places: number, sessions: number, waitingStarts: number, browsers: number, processBytes: number, browserBytes: number | null, refusedAddresses: number, operations: Array<{ operation: string, count: number, p50Ms: number, p95Ms: number }>, failures: Array<{ operation: string, code: string, count: number }>, sandbox: { layers: Array<string>, summary: string, warning: string | null } }, nodes: Array<{ nodeId: string, sessions: number, capacity: number, draining: boolean, version: string }> };

export type DashDrainMutationVariables = Exact<{
  nodeId: string | number;
}>;


export type DashDrainMutation = { drainNode: { nodeId: string } };

export type DashAccountsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DashAccountsQuery = { accounts: { edges: Array<{ node: { accountId: string, name: string, tier: Tier, createdAt: string, balanceMicros: number, activeSessions: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type DashCreditMutationVariables = Exact<{
  input: CreditAccountInput;
}>;


export type DashCreditMutation = { creditAccount: { balanceMicros: number } };

export type DashConsoleSubscriptionVariables = Exact<{
  sessionId: string | number;
  after?: number | null | undefined;
}>;


export type DashConsoleSubscription = { consoleMessages: { number: number, at: string, tabId: string, level: ConsoleLevel, text: string, url: string | null, line: number | null } };

export type DashNetworkSubscriptionVariables = Exact<{
  sessionId: string | number;
  after?: number | null | undefined;
}>;


export type DashNetworkSubscription = { networkRequests: { number: number, at: string, tabId: string, method: string, url: string, resourceType: string, status: number | null, statusText: string, mimeType: string | null, protocol: string | null, servedBy: ResponseSource | null, redirectUrl: string | null, error: string | null, blockedReason: string | null, bytes: number | null, durationMs: number | null, timing: { blocked: number | null, dns: number | null, connect: number | null, tls: number | null, send: number, wait: number, receive: number } | null } };

export type DashExportQueryVariables = Exact<{
  id: string | number;
  format: ExportFormat;
}>;


export type DashExportQuery = { session: { exportUrl: string } | null };

export type DashPicturesQueryVariables = Exact<{
  sessionId: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DashPicturesQuery = { session: { events: { edges: Array<{ node:
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
          | { at: string, performed: { picture: { url: string } | null } | null }
         }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type DashVideoQueryVariables = Exact<{
  sessionId: string | number;
  after?: number | null | undefined;
}>;


export type DashVideoQuery = { session: { pictures: Array<{ number: number, at: string, url: string }> } | null };

/** The persisted operations of the dashboard, by name. */
export interface Operations {
  readonly DashViewer: { readonly kind: 'query'; readonly result: DashViewerQuery; readonly variables: DashViewerQueryVariables };
  readonly DashSessions: { readonly kind: 'query'; readonly result: DashSessionsQuery; readonly variables: DashSessionsQueryVariables };
  readonly DashSessionChanges: { readonly kind: 'subscription'; readonly result: DashSessionChangesSubscription; readonly variables: DashSessionChangesSubscriptionVariables };
  readonly DashFrames: { readonly kind: 'subscription'; readonly result: DashFramesSubscription; readonly variables: DashFramesSubscriptionVariables };
  readonly DashSession: { readonly kind: 'query'; readonly result: DashSessionQuery; readonly variables: DashSessionQueryVariables };
  readonly DashSessionChange: { readonly kind: 'subscription'; readonly result: DashSessionChangeSubscription; readonly variables: DashSessionChangeSubscriptionVariables };
  readonly DashEvents: { readonly kind: 'subscription'; readonly result: DashEventsSubscription; readonly variables: DashEventsSubscriptionVariables };
  readonly DashEventMoment: { readonly kind: 'query'; readonly result: DashEventMomentQuery; readonly variables: DashEventMomentQueryVariables };
  readonly DashStep: { readonly kind: 'mutation'; readonly result: DashStepMutation; readonly variables: DashStepMutationVariables };
  readonly DashObserve: { readonly kind: 'mutation'; readonly result: DashObserveMutation; readonly variables: DashObserveMutationVariables };
  readonly DashStart: { readonly kind: 'mutation'; readonly result: DashStartMutation; readonly variables: DashStartMutationVariables };
  readonly DashExtend: { readonly kind: 'mutation'; readonly result: DashExtendMutation; readonly variables: DashExtendMutationVariables };
  readonly DashRename: { readonly kind: 'mutation'; readonly result: DashRenameMutation; readonly variables: DashRenameMutationVariables };
  readonly DashClose: { readonly kind: 'mutation'; readonly result: DashCloseMutation; readonly variables: DashCloseMutationVariables };
  readonly DashTakeOver: { readonly kind: 'mutation'; readonly result: DashTakeOverMutation; readonly variables: DashTakeOverMutationVariables };
  readonly DashApprove: { readonly kind: 'mutation'; readonly result: DashApproveMutation; readonly variables: DashApproveMutationVariables };
  readonly DashDeny: { readonly kind: 'mutation'; readonly result: DashDenyMutation; readonly variables: DashDenyMutationVariables };
  readonly DashHandBack: { readonly kind: 'mutation'; readonly result: DashHandBackMutation; readonly variables: DashHandBackMutationVariables };
  readonly DashSendInput: { readonly kind: 'mutation'; readonly result: DashSendInputMutation; readonly variables: DashSendInputMutationVariables };
  readonly DashHold: { readonly kind: 'subscription'; readonly result: DashHoldSubscription; readonly variables: DashHoldSubscriptionVariables };
  readonly DashSharedSession: { readonly kind: 'query'; readonly result: DashSharedSessionQuery; readonly variables: DashSharedSessionQueryVariables };
  readonly DashSharedChange: { readonly kind: 'subscription'; readonly result: DashSharedChangeSubscription; readonly variables: DashSharedChangeSubscriptionVariables };
  readonly DashShareLinks: { readonly kind: 'query'; readonly result: DashShareLinksQuery; readonly variables: DashShareLinksQueryVariables };
  readonly DashCreateShareLink: { readonly kind: 'mutation'; readonly result: DashCreateShareLinkMutation; readonly variables: DashCreateShareLinkMutationVariables };
  readonly DashRevokeShareLink: { readonly kind: 'mutation'; readonly result: DashRevokeShareLinkMutation; readonly variables: DashRevokeShareLinkMutationVariables };
  readonly DashKeys: { readonly kind: 'query'; readonly result: DashKeysQuery; readonly variables: DashKeysQueryVariables };
  readonly DashCreateKey: { readonly kind: 'mutation'; readonly result: DashCreateKeyMutation; readonly variables: DashCreateKeyMutationVariables };
  readonly DashRevokeKey: { readonly kind: 'mutation'; readonly result: DashRevokeKeyMutation; readonly variables: DashRevokeKeyMutationVariables };
  readonly DashUsage: { readonly kind: 'query'; readonly result: DashUsageQuery; readonly variables: DashUsageQueryVariables };
  readonly DashTry: { readonly kind: 'mutation'; readonly result: DashTryMutation; readonly variables: DashTryMutationVariables };
  readonly DashOperator: { readonly kind: 'query'; readonly result: DashOperatorQuery; readonly variables: DashOperatorQueryVariables };
  readonly DashDrain: { readonly kind: 'mutation'; readonly result: DashDrainMutation; readonly variables: DashDrainMutationVariables };
  readonly DashAccounts: { readonly kind: 'query'; readonly result: DashAccountsQuery; readonly variables: DashAccountsQueryVariables };
  readonly DashCredit: { readonly kind: 'mutation'; readonly result: DashCreditMutation; readonly variables: DashCreditMutationVariables };
  readonly DashConsole: { readonly kind: 'subscription'; readonly result: DashConsoleSubscription; readonly variables: DashConsoleSubscriptionVariables };
  readonly DashNetwork: { readonly kind: 'subscription'; readonly result: DashNetworkSubscription; readonly variables: DashNetworkSubscriptionVariables };
  readonly DashExport: { readonly kind: 'query'; readonly result: DashExportQuery; readonly variables: DashExportQueryVariables };
  readonly DashPictures: { readonly kind: 'query'; readonly result: DashPicturesQuery; readonly variables: DashPicturesQueryVariables };
  readonly DashVideo: { readonly kind: 'query'; readonly result: DashVideoQuery; readonly variables: DashVideoQueryVariables };
}
