/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Marks a document with the types of its result and its variables. */
interface DocumentTypeDecoration<Result, Variables> {
  readonly __apiType?: (variables: Variables) => Result;
}
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

/** The state of a download. */
export type DownloadState =
  /** It was refused because of a limit, or it failed. The events of the session say why. */
  | 'REFUSED'
  /** It is still running. */
  | 'RUNNING'
  /** It is stored, with an id. */
  | 'STORED';

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

/** The purpose of an image. */
export type ImageCategory =
  /** Part of the content. */
  | 'CONTENT_IMAGE'
  /** Decoration only. */
  | 'DECORATIVE'
  /** A small symbol. */
  | 'ICON'
  /** An SVG drawing that is part of the content. */
  | 'SVG_CONTENT'
  /** A small symbol drawn in SVG. */
  | 'SVG_ICON';

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

/** Which requests of other sites have the cookie. */
export type SameSite =
  /** Those that open a page. */
  | 'LAX'
  /** All; needs `secure`. */
  | 'NONE'
  /** None. */
  | 'STRICT';

/** The page to scrape. Pass `sessionId`, `url` or both. */
export type ScrapeInput = {
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

/** A part of `ScrapedData` that a limit can cut, or content of a page that no part contains. */
export type ScrapedPart =
  /** The response ended before the page did. */
  | 'END'
  /** Values found by the JSON Schema `extract` of the input, in its shape; null without a schema. */
  | 'EXTRACTED'
  /** A frame of the page could not be read. */
  | 'FRAMES'
  /** The images that the whole page shows: id, URL, text alternative, natural size, category. No image is fetched again. */
  | 'IMAGES'
  /** No visible element of the page matches `include`. */
  | 'INCLUDE'
  /** The links in the content: each URL once, with its text. */
  | 'LINKS'
  /** Sanitized HTML with absolute URLs: the main content, or the whole visible page if the input asks for that. */
  | 'MAIN_CONTENT'
  /** The content as Markdown: tables, nested lists, code with its language, images, links. */
  | 'MARKDOWN'
  /** The HTML of the document as its scripts have left it, neither reduced nor sanitized: with scripts, styles and hidden parts. */
  | 'RAW_HTML'
  /** The page announces that another page will replace it, which was not awaited. */
  | 'REFRESH'
  /** The page has more rows or items, which it shows only on scrolling or by a button. The request field `scroll` reads those on scrolling. */
  | 'ROWS'
  /** JSON-LD, microdata and OpenGraph of the page, as JSON objects. */
  | 'STRUCTURED'
  /** The content as plain text, one line for each block; list items begin with `- ` or their number. */
  | 'TEXT';

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

/** Whether a person has the session. */
export type TakeOverStatus =
  /** A person has the session. */
  | 'HELD'
  /** The agent has asked for a person, and nobody has come yet. */
  | 'WAITING';

/** The kind of a block of text. */
export type TextBlockKind =
  /** A heading. */
  | 'HEADING'
  /** A row of a table or grid; its cells are separated by ` | `. */
  | 'ROW'
  /** All other text: a paragraph, an entry of a list, a label. */
  | 'TEXT';

/** The size of the page in CSS pixels. */
export type ViewportInput = {
  /** Height. 100 to 4,096. */
  height: number;
  /** Width. 100 to 4,096. */
  width: number;
};

export type SessionFieldsFragment = { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, duration: string, timeoutMinutes: number, error: string | null, durationMs: number, expiresAt: string | null, endedAt: string | null, endReason: string | null, url: string | null, pageTitle: string | null, name: string | null, labels: Array<string>, record: RecordMode, pageLog: boolean, screenshotIsCut: boolean | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, options: { device: string | null, userAgent: string | null, locale: string | null, timezone: string | null, colorScheme: ColorScheme | null, reducedMotion: ReducedMotion | null, dismissBanners: boolean | null, permissions: Array<Permission> | null, block: Array<BlockedKind> | null, maxLifetimeMinutes: number | null, viewport: { width: number, height: number } | null, geolocation: { latitude: number, longitude: number, accuracy: number | null } | null, headers: Array<{ origin: string, name: string }> | null, httpCredentials: Array<{ origin: string, username: string }> | null, profile: { name: string, mode: ProfileMode } | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, kinds: Array<StepKind>, actionId: string, description: string | null, value: string | null, since: string, until: string } | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null };

export type ActionFieldsFragment = { id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null };

export type MessageFieldsFragment = { kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean };

export type SpaceFieldsFragment = { description: string, category: SpaceCategory, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, browserActions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, pending: { requests: Array<string>, timers: Array<number>, busy: Array<string>, navigation: string | null }, downloads: Array<{ fileId: string | null, name: string, state: DownloadState }>, console: { errors: number, first: string } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, messages: Array<{ kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean }>, textBlocks: Array<{ kind: TextBlockKind, text: string, before: string | null }> };

export type DiffFieldsFragment = { covered: number, uncovered: number, reordered: Array<string>, markdown: string, added: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, removed: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, changed: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean }> };

export type MetadataFieldsFragment = { url: string, title: string, timestamp: string, httpStatus: number | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }> };

export type DataFieldsFragment = { mainContent: string | null, markdown: string | null, text: string | null, structured: Array<unknown> | null, pdf: string | null, extracted: unknown, rawHtml: string | null, contentType: string | null, truncated: boolean, cursor: string | null, incomplete: Array<ScrapedPart>, links: Array<{ url: string, text: string }> | null, images: Array<{ id: string, url: string | null, alt: string | null, category: ImageCategory, width: number | null, height: number | null }> | null, metadata: { byline: string | null, published: string | null, lang: string | null, siteName: string | null, canonical: string | null, excerpt: string | null } | null, extractErrors: Array<{ path: string, message: string }> | null };

export type ClientObservationFragment = { id: string, screenshot?: string | null, session: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, duration: string, timeoutMinutes: number, error: string | null, durationMs: number, expiresAt: string | null, endedAt: string | null, endReason: string | null, url: string | null, pageTitle: string | null, name: string | null, labels: Array<string>, record: RecordMode, pageLog: boolean, screenshotIsCut: boolean | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, options: { device: string | null, userAgent: string | null, locale: string | null, timezone: string | null, colorScheme: ColorScheme | null, reducedMotion: ReducedMotion | null, dismissBanners: boolean | null, permissions: Array<Permission> | null, block: Array<BlockedKind> | null, maxLifetimeMinutes: number | null, viewport: { width: number, height: number } | null, geolocation: { latitude: number, longitude: number, accuracy: number | null } | null, headers: Array<{ origin: string, name: string }> | null, httpCredentials: Array<{ origin: string, username: string }> | null, profile: { name: string, mode: ProfileMode } | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, kinds: Array<StepKind>, actionId: string, description: string | null, value: string | null, since: string, until: string } | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null }, metadata: { url: string, title: string, timestamp: string, httpStatus: number | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }> }, space: { description: string, category: SpaceCategory, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, browserActions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, pending: { requests: Array<string>, timers: Array<number>, busy: Array<string>, navigation: string | null }, downloads: Array<{ fileId: string | null, name: string, state: DownloadState }>, console: { errors: number, first: string } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, messages: Array<{ kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean }>, textBlocks: Array<{ kind: TextBlockKind, text: string, before: string | null }> } | null, diff: { covered: number, uncovered: number, reordered: Array<string>, markdown: string, added: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, removed: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, changed: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean }> } | null, data?: { mainContent: string | null, markdown: string | null, text: string | null, structured: Array<unknown> | null, pdf: string | null, extracted: unknown, rawHtml: string | null, contentType: string | null, truncated: boolean, cursor: string | null, incomplete: Array<ScrapedPart>, links: Array<{ url: string, text: string }> | null, images: Array<{ id: string, url: string | null, alt: string | null, category: ImageCategory, width: number | null, height: number | null }> | null, metadata: { byline: string | null, published: string | null, lang: string | null, siteName: string | null, canonical: string | null, excerpt: string | null } | null, extractErrors: Array<{ path: string, message: string }> | null } | null };

export type ClientStartMutationVariables = Exact<{
  input: StartSessionInput;
}>;


export type ClientStartMutation = { startSession: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, duration: string, timeoutMinutes: number, error: string | null, durationMs: number, expiresAt: string | null, endedAt: string | null, endReason: string | null, url: string | null, pageTitle: string | null, name: string | null, labels: Array<string>, record: RecordMode, pageLog: boolean, screenshotIsCut: boolean | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, options: { device: string | null, userAgent: string | null, locale: string | null, timezone: string | null, colorScheme: ColorScheme | null, reducedMotion: ReducedMotion | null, dismissBanners: boolean | null, permissions: Array<Permission> | null, block: Array<BlockedKind> | null, maxLifetimeMinutes: number | null, viewport: { width: number, height: number } | null, geolocation: { latitude: number, longitude: number, accuracy: number | null } | null, headers: Array<{ origin: string, name: string }> | null, httpCredentials: Array<{ origin: string, username: string }> | null, profile: { name: string, mode: ProfileMode } | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, kinds: Array<StepKind>, actionId: string, description: string | null, value: string | null, since: string, until: string } | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null } };

export type ClientObserveMutationVariables = Exact<{
  input: ObserveInput;
  screenshot: boolean;
  content: boolean;
}>;


export type ClientObserveMutation = { observe: { id: string, screenshot?: string | null, session: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, duration: string, timeoutMinutes: number, error: string | null, durationMs: number, expiresAt: string | null, endedAt: string | null, endReason: string | null, url: string | null, pageTitle: string | null, name: string | null, labels: Array<string>, record: RecordMode, pageLog: boolean, screenshotIsCut: boolean | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, options: { device: string | null, userAgent: string | null, locale: string | null, timezone: string | null, colorScheme: ColorScheme | null, reducedMotion: ReducedMotion | null, dismissBanners: boolean | null, permissions: Array<Permission> | null, block: Array<BlockedKind> | null, maxLifetimeMinutes: number | null, viewport: { width: number, height: number } | null, geolocation: { latitude: number, longitude: number, accuracy: number | null } | null, headers: Array<{ origin: string, name: string }> | null, httpCredentials: Array<{ origin: string, username: string }> | null, profile: { name: string, mode: ProfileMode } | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, kinds: Array<StepKind>, actionId: string, description: string | null, value: string | null, since: string, until: string } | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null }, metadata: { url: string, title: string, timestamp: string, httpStatus: number | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }> }, space: { description: string, category: SpaceCategory, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, browserActions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, pending: { requests: Array<string>, timers: Array<number>, busy: Array<string>, navigation: string | null }, downloads: Array<{ fileId: string | null, name: string, state: DownloadState }>, console: { errors: number, first: string } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, messages: Array<{ kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean }>, textBlocks: Array<{ kind: TextBlockKind, text: string, before: string | null }> } | null, diff: { covered: number, uncovered: number, reordered: Array<string>, markdown: string, added: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, removed: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, changed: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean }> } | null, data?: { mainContent: string | null, markdown: string | null, text: string | null, structured: Array<unknown> | null, pdf: string | null, extracted: unknown, rawHtml: string | null, contentType: string | null, truncated: boolean, cursor: string | null, incomplete: Array<ScrapedPart>, links: Array<{ url: string, text: string }> | null, images: Array<{ id: string, url: string | null, alt: string | null, category: ImageCategory, width: number | null, height: number | null }> | null, metadata: { byline: string | null, published: string | null, lang: string | null, siteName: string | null, canonical: string | null, excerpt: string | null } | null, extractErrors: Array<{ path: string, message: string }> | null } | null } };

export type ClientStepMutationVariables = Exact<{
  input: StepInput;
  screenshot: boolean;
  content: boolean;
}>;


export type ClientStepMutation = { step: { id: string, screenshot?: string | null, session: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, duration: string, timeoutMinutes: number, error: string | null, durationMs: number, expiresAt: string | null, endedAt: string | null, endReason: string | null, url: string | null, pageTitle: string | null, name: string | null, labels: Array<string>, record: RecordMode, pageLog: boolean, screenshotIsCut: boolean | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, options: { device: string | null, userAgent: string | null, locale: string | null, timezone: string | null, colorScheme: ColorScheme | null, reducedMotion: ReducedMotion | null, dismissBanners: boolean | null, permissions: Array<Permission> | null, block: Array<BlockedKind> | null, maxLifetimeMinutes: number | null, viewport: { width: number, height: number } | null, geolocation: { latitude: number, longitude: number, accuracy: number | null } | null, headers: Array<{ origin: string, name: string }> | null, httpCredentials: Array<{ origin: string, username: string }> | null, profile: { name: string, mode: ProfileMode } | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, kinds: Array<StepKind>, actionId: string, description: string | null, value: string | null, since: string, until: string } | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null }, metadata: { url: string, title: string, timestamp: string, httpStatus: number | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }> }, space: { description: string, category: SpaceCategory, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, browserActions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, pending: { requests: Array<string>, timers: Array<number>, busy: Array<string>, navigation: string | null }, downloads: Array<{ fileId: string | null, name: string, state: DownloadState }>, console: { errors: number, first: string } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, messages: Array<{ kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean }>, textBlocks: Array<{ kind: TextBlockKind, text: string, before: string | null }> } | null, diff: { covered: number, uncovered: number, reordered: Array<string>, markdown: string, added: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, removed: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, changed: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean }> } | null, data?: { mainContent: string | null, markdown: string | null, text: string | null, structured: Array<unknown> | null, pdf: string | null, extracted: unknown, rawHtml: string | null, contentType: string | null, truncated: boolean, cursor: string | null, incomplete: Array<ScrapedPart>, links: Array<{ url: string, text: string }> | null, images: Array<{ id: string, url: string | null, alt: string | null, category: ImageCategory, width: number | null, height: number | null }> | null, metadata: { byline: string | null, published: string | null, lang: string | null, siteName: string | null, canonical: string | null, excerpt: string | null } | null, extractErrors: Array<{ path: string, message: string }> | null } | null } };

export type ClientScrapeMutationVariables = Exact<{
  input: ScrapeInput;
  screenshot: boolean;
  content: boolean;
}>;


export type ClientScrapeMutation = { scrape: { id: string, screenshot?: string | null, session: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, duration: string, timeoutMinutes: number, error: string | null, durationMs: number, expiresAt: string | null, endedAt: string | null, endReason: string | null, url: string | null, pageTitle: string | null, name: string | null, labels: Array<string>, record: RecordMode, pageLog: boolean, screenshotIsCut: boolean | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, options: { device: string | null, userAgent: string | null, locale: string | null, timezone: string | null, colorScheme: ColorScheme | null, reducedMotion: ReducedMotion | null, dismissBanners: boolean | null, permissions: Array<Permission> | null, block: Array<BlockedKind> | null, maxLifetimeMinutes: number | null, viewport: { width: number, height: number } | null, geolocation: { latitude: number, longitude: number, accuracy: number | null } | null, headers: Array<{ origin: string, name: string }> | null, httpCredentials: Array<{ origin: string, username: string }> | null, profile: { name: string, mode: ProfileMode } | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, kinds: Array<StepKind>, actionId: string, description: string | null, value: string | null, since: string, until: string } | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null }, metadata: { url: string, title: string, timestamp: string, httpStatus: number | null, tabs: Array<{ id: string, title: string, url: string, active: boolean }> }, space: { description: string, category: SpaceCategory, markdown: string, totalActions: number, truncated: boolean, actions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, specialActions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, browserActions: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, pending: { requests: Array<string>, timers: Array<number>, busy: Array<string>, navigation: string | null }, downloads: Array<{ fileId: string | null, name: string, state: DownloadState }>, console: { errors: number, first: string } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null, messages: Array<{ kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean }>, textBlocks: Array<{ kind: TextBlockKind, text: string, before: string | null }> } | null, diff: { covered: number, uncovered: number, reordered: Array<string>, markdown: string, added: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, removed: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, changed: Array<{ id: string, description: string, category: string, kind: ActionKind, status: ActionStatus, role: string | null, name: string | null, value: string | null, checked: boolean | null, disabled: boolean, expanded: boolean | null, inViewport: boolean, frame: string | null, fingerprint: string, params: Array<{ name: string, type: ParamType, default: string | null, values: Array<string> }>, bounds: { x: number, y: number, width: number, height: number } | null }>, messages: Array<{ kind: MessageKind, text: string, action: string | null, page: string | null, isNew: boolean }> } | null, data?: { mainContent: string | null, markdown: string | null, text: string | null, structured: Array<unknown> | null, pdf: string | null, extracted: unknown, rawHtml: string | null, contentType: string | null, truncated: boolean, cursor: string | null, incomplete: Array<ScrapedPart>, links: Array<{ url: string, text: string }> | null, images: Array<{ id: string, url: string | null, alt: string | null, category: ImageCategory, width: number | null, height: number | null }> | null, metadata: { byline: string | null, published: string | null, lang: string | null, siteName: string | null, canonical: string | null, excerpt: string | null } | null, extractErrors: Array<{ path: string, message: string }> | null } | null } };

export type ClientCloseMutationVariables = Exact<{
  input: CloseSessionInput;
}>;


export type ClientCloseMutation = { closeSession: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, duration: string, timeoutMinutes: number, error: string | null, durationMs: number, expiresAt: string | null, endedAt: string | null, endReason: string | null, url: string | null, pageTitle: string | null, name: string | null, labels: Array<string>, record: RecordMode, pageLog: boolean, screenshotIsCut: boolean | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, options: { device: string | null, userAgent: string | null, locale: string | null, timezone: string | null, colorScheme: ColorScheme | null, reducedMotion: ReducedMotion | null, dismissBanners: boolean | null, permissions: Array<Permission> | null, block: Array<BlockedKind> | null, maxLifetimeMinutes: number | null, viewport: { width: number, height: number } | null, geolocation: { latitude: number, longitude: number, accuracy: number | null } | null, headers: Array<{ origin: string, name: string }> | null, httpCredentials: Array<{ origin: string, username: string }> | null, profile: { name: string, mode: ProfileMode } | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, kinds: Array<StepKind>, actionId: string, description: string | null, value: string | null, since: string, until: string } | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null } };

export type ClientSessionQueryVariables = Exact<{
  id: string | number;
}>;


export type ClientSessionQuery = { session: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, duration: string, timeoutMinutes: number, error: string | null, durationMs: number, expiresAt: string | null, endedAt: string | null, endReason: string | null, url: string | null, pageTitle: string | null, name: string | null, labels: Array<string>, record: RecordMode, pageLog: boolean, screenshotIsCut: boolean | null, downloads: Array<{ id: string, name: string, bytes: number, createdAt: string, url: string }>, uploads: Array<{ id: string, name: string, bytes: number, createdAt: string }>, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, options: { device: string | null, userAgent: string | null, locale: string | null, timezone: string | null, colorScheme: ColorScheme | null, reducedMotion: ReducedMotion | null, dismissBanners: boolean | null, permissions: Array<Permission> | null, block: Array<BlockedKind> | null, maxLifetimeMinutes: number | null, viewport: { width: number, height: number } | null, geolocation: { latitude: number, longitude: number, accuracy: number | null } | null, headers: Array<{ origin: string, name: string }> | null, httpCredentials: Array<{ origin: string, username: string }> | null, profile: { name: string, mode: ProfileMode } | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, kinds: Array<StepKind>, actionId: string, description: string | null, value: string | null, since: string, until: string } | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null } | null };

export type DownloadFieldsFragment = { id: string, name: string, bytes: number, createdAt: string, url: string };

export type UploadFieldsFragment = { id: string, name: string, bytes: number, createdAt: string };

export type ClientSessionsQueryVariables = Exact<{
  status?: Array<SessionStatus> | SessionStatus | null | undefined;
  search?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ClientSessionsQuery = { sessions: { edges: Array<{ node: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, duration: string, timeoutMinutes: number, error: string | null, durationMs: number, expiresAt: string | null, endedAt: string | null, endReason: string | null, url: string | null, pageTitle: string | null, name: string | null, labels: Array<string>, record: RecordMode, pageLog: boolean, screenshotIsCut: boolean | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, options: { device: string | null, userAgent: string | null, locale: string | null, timezone: string | null, colorScheme: ColorScheme | null, reducedMotion: ReducedMotion | null, dismissBanners: boolean | null, permissions: Array<Permission> | null, block: Array<BlockedKind> | null, maxLifetimeMinutes: number | null, viewport: { width: number, height: number } | null, geolocation: { latitude: number, longitude: number, accuracy: number | null } | null, headers: Array<{ origin: string, name: string }> | null, httpCredentials: Array<{ origin: string, username: string }> | null, profile: { name: string, mode: ProfileMode } | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, kinds: Array<StepKind>, actionId: string, description: string | null, value: string | null, since: string, until: string } | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ClientPerformedFragment = { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> };

export type ClientConsoleSubscriptionVariables = Exact<{
  sessionId: string | number;
  after?: number | null | undefined;
}>;


export type ClientConsoleSubscription = { consoleMessages: { number: number, at: string, tabId: string, level: ConsoleLevel, text: string, url: string | null, line: number | null } };

export type ClientNetworkSubscriptionVariables = Exact<{
  sessionId: string | number;
  after?: number | null | undefined;
}>;


export type ClientNetworkSubscription = { networkRequests: { number: number, at: string, tabId: string, method: string, url: string, resourceType: string, status: number | null, statusText: string, mimeType: string | null, protocol: string | null, bytes: number | null, durationMs: number | null, servedBy: ResponseSource | null, redirectUrl: string | null, error: string | null, blockedReason: string | null } };

export type ClientEventsSubscriptionVariables = Exact<{
  sessionId: string | number;
  after?: number | null | undefined;
}>;


export type ClientEventsSubscription = { sessionEvents:
    | { __typename: 'SessionBlockedEvent', url: string, detail: string, id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionCreatedEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionDialogEvent', kind: DialogKind, message: string, id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionDownloadEvent', downloadId: string, fileName: string, id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionEndedEvent', status: SessionStatus, reason: string | null, id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionFailedEvent', operation: string, id: string, seq: number, at: string, type: SessionEventType, failure: { code: FailureCode, title: string, detail: string }, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionHandedBackEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionObservedEvent', url: string, totalActions: number, id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionRecordStoppedEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionScrapedEvent', url: string, id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionSteppedEvent', url: string, id: string, seq: number, at: string, type: SessionEventType, action: { id: string, description: string | null }, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionTabEvent', tabId: string, opened: boolean, url: string, id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionTakeOverRequestedEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
    | { __typename: 'SessionTakenOverEvent', id: string, seq: number, at: string, type: SessionEventType, performed: { id: string, durationMs: number, observationId: string | null, url: string | null, title: string | null, downloads: Array<string>, console: string | null, caller: { kind: CallerKind, keyId: string, keyName: string | null }, input: { url: string | null, actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null, gesture: string | null, value: string | null, enter: boolean, params: unknown, targets: Array<{ actionId: string | null, role: string | null, name: string | null, frame: string | null, nth: number, fingerprint: string | null }> }, messages: Array<{ kind: string, text: string }> } | null }
   };

export type ClientFramesSubscriptionVariables = Exact<{
  sessionId: string | number;
  maxWidth?: number | null | undefined;
  quality?: number | null | undefined;
}>;


export type ClientFramesSubscription = { sessionFrames: { at: string, image: string, width: number, height: number, tabId: string | null } };

export type ClientStatusSubscriptionVariables = Exact<{
  sessionId?: string | number | null | undefined;
  statuses?: Array<SessionStatus> | SessionStatus | null | undefined;
}>;


export type ClientStatusSubscription = { sessionStatusChanged: { id: string, status: SessionStatus, createdAt: string, lastAccessedAt: string, duration: string, timeoutMinutes: number, error: string | null, durationMs: number, expiresAt: string | null, endedAt: string | null, endReason: string | null, url: string | null, pageTitle: string | null, name: string | null, labels: Array<string>, record: RecordMode, pageLog: boolean, screenshotIsCut: boolean | null, startedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, endedBy: { kind: CallerKind, keyId: string, keyName: string | null } | null, options: { device: string | null, userAgent: string | null, locale: string | null, timezone: string | null, colorScheme: ColorScheme | null, reducedMotion: ReducedMotion | null, dismissBanners: boolean | null, permissions: Array<Permission> | null, block: Array<BlockedKind> | null, maxLifetimeMinutes: number | null, viewport: { width: number, height: number } | null, geolocation: { latitude: number, longitude: number, accuracy: number | null } | null, headers: Array<{ origin: string, name: string }> | null, httpCredentials: Array<{ origin: string, username: string }> | null, profile: { name: string, mode: ProfileMode } | null } | null, runningOperation: { kind: string, actionId: string | null, startedAt: string, approval: { id: string, kinds: Array<StepKind>, actionId: string, description: string | null, value: string | null, since: string, until: string } | null } | null, takeOver: { status: TakeOverStatus, instructions: string | null, holder: string | null, since: string, until: string | null } | null, dialog: { kind: DialogKind, message: string, defaultValue: string | null } | null } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const SessionFieldsFragmentDoc = new TypedDocumentString(`
    fragment SessionFields on Session {
  id
  status
  createdAt
  lastAccessedAt
  duration
  timeoutMinutes
  error
  durationMs
  expiresAt
  endedAt
  endReason
  startedBy {
    kind
    keyId
    keyName
  }
  endedBy {
    kind
    keyId
    keyName
  }
  url
  pageTitle
  name
  labels
  record
  pageLog
  options {
    viewport {
      width
      height
    }
    device
    userAgent
    locale
    timezone
    geolocation {
      latitude
      longitude
      accuracy
    }
    colorScheme
    reducedMotion
    dismissBanners
    permissions
    headers {
      origin
      name
    }
    httpCredentials {
      origin
      username
    }
    block
    profile {
      name
      mode
    }
    maxLifetimeMinutes
  }
  runningOperation {
    kind
    actionId
    startedAt
    approval {
      id
      kinds
      actionId
      description
      value
      since
      until
    }
  }
  takeOver {
    status
    instructions
    holder
    since
    until
  }
  dialog {
    kind
    message
    defaultValue
  }
  screenshotIsCut
}
    `, {"fragmentName":"SessionFields"}) as unknown as TypedDocumentString<SessionFieldsFragment, unknown>;
export const MetadataFieldsFragmentDoc = new TypedDocumentString(`
    fragment MetadataFields on PageMetadata {
  url
  title
  timestamp
  httpStatus
  tabs {
    id
    title
    url
    active
  }
}
    `, {"fragmentName":"MetadataFields"}) as unknown as TypedDocumentString<MetadataFieldsFragment, unknown>;
export const ActionFieldsFragmentDoc = new TypedDocumentString(`
    fragment ActionFields on Action {
  id
  description
  category
  kind
  status
  params {
    name
    type
    default
    values
  }
  role
  name
  value
  checked
  disabled
  expanded
  inViewport
  bounds {
    x
    y
    width
    height
  }
  frame
  fingerprint
}
    `, {"fragmentName":"ActionFields"}) as unknown as TypedDocumentString<ActionFieldsFragment, unknown>;
export const MessageFieldsFragmentDoc = new TypedDocumentString(`
    fragment MessageFields on PageMessage {
  kind
  text
  action
  page
  isNew
}
    `, {"fragmentName":"MessageFields"}) as unknown as TypedDocumentString<MessageFieldsFragment, unknown>;
export const SpaceFieldsFragmentDoc = new TypedDocumentString(`
    fragment SpaceFields on Space {
  description
  category
  markdown
  actions {
    ...ActionFields
  }
  specialActions {
    ...ActionFields
  }
  browserActions {
    ...ActionFields
  }
  totalActions
  truncated
  pending {
    requests
    timers
    busy
    navigation
  }
  downloads {
    fileId
    name
    state
  }
  console {
    errors
    first
  }
  dialog {
    kind
    message
    defaultValue
  }
  messages {
    ...MessageFields
  }
  textBlocks {
    kind
    text
    before
  }
}
    fragment ActionFields on Action {
  id
  description
  category
  kind
  status
  params {
    name
    type
    default
    values
  }
  role
  name
  value
  checked
  disabled
  expanded
  inViewport
  bounds {
    x
    y
    width
    height
  }
  frame
  fingerprint
}
fragment MessageFields on PageMessage {
  kind
  text
  action
  page
  isNew
}`, {"fragmentName":"SpaceFields"}) as unknown as TypedDocumentString<SpaceFieldsFragment, unknown>;
export const DiffFieldsFragmentDoc = new TypedDocumentString(`
    fragment DiffFields on SpaceDiff {
  added {
    ...ActionFields
  }
  removed {
    ...ActionFields
  }
  changed {
    ...ActionFields
  }
  covered
  uncovered
  reordered
  messages {
    ...MessageFields
  }
  markdown
}
    fragment ActionFields on Action {
  id
  description
  category
  kind
  status
  params {
    name
    type
    default
    values
  }
  role
  name
  value
  checked
  disabled
  expanded
  inViewport
  bounds {
    x
    y
    width
    height
  }
  frame
  fingerprint
}
fragment MessageFields on PageMessage {
  kind
  text
  action
  page
  isNew
}`, {"fragmentName":"DiffFields"}) as unknown as TypedDocumentString<DiffFieldsFragment, unknown>;
export const DataFieldsFragmentDoc = new TypedDocumentString(`
    fragment DataFields on ScrapedData {
  mainContent
  markdown
  text
  links {
    url
    text
  }
  images {
    id
    url
    alt
    category
    width
    height
  }
  structured
  metadata {
    byline
    published
    lang
    siteName
    canonical
    excerpt
  }
  pdf
  extracted
  rawHtml
  extractErrors {
    path
    message
  }
  contentType
  truncated
  cursor
  incomplete
}
    `, {"fragmentName":"DataFields"}) as unknown as TypedDocumentString<DataFieldsFragment, unknown>;
export const ClientObservationFragmentDoc = new TypedDocumentString(`
    fragment ClientObservation on Observation {
  id
  session {
    ...SessionFields
  }
  metadata {
    ...MetadataFields
  }
  screenshot @include(if: $screenshot)
  space {
    ...SpaceFields
  }
  diff {
    ...DiffFields
  }
  data @include(if: $content) {
    ...DataFields
  }
}
    fragment SessionFields on Session {
  id
  status
  createdAt
  lastAccessedAt
  duration
  timeoutMinutes
  error
  durationMs
  expiresAt
  endedAt
  endReason
  startedBy {
    kind
    keyId
    keyName
  }
  endedBy {
    kind
    keyId
    keyName
  }
  url
  pageTitle
  name
  labels
  record
  pageLog
  options {
    viewport {
      width
      height
    }
    device
    userAgent
    locale
    timezone
    geolocation {
      latitude
      longitude
      accuracy
    }
    colorScheme
    reducedMotion
    dismissBanners
    permissions
    headers {
      origin
      name
    }
    httpCredentials {
      origin
      username
    }
    block
    profile {
      name
      mode
    }
    maxLifetimeMinutes
  }
  runningOperation {
    kind
    actionId
    startedAt
    approval {
      id
      kinds
      actionId
      description
      value
      since
      until
    }
  }
  takeOver {
    status
    instructions
    holder
    since
    until
  }
  dialog {
    kind
    message
    defaultValue
  }
  screenshotIsCut
}
fragment ActionFields on Action {
  id
  description
  category
  kind
  status
  params {
    name
    type
    default
    values
  }
  role
  name
  value
  checked
  disabled
  expanded
  inViewport
  bounds {
    x
    y
    width
    height
  }
  frame
  fingerprint
}
fragment MessageFields on PageMessage {
  kind
  text
  action
  page
  isNew
}
fragment SpaceFields on Space {
  description
  category
  markdown
  actions {
    ...ActionFields
  }
  specialActions {
    ...ActionFields
  }
  browserActions {
    ...ActionFields
  }
  totalActions
  truncated
  pending {
    requests
    timers
    busy
    navigation
  }
  downloads {
    fileId
    name
    state
  }
  console {
    errors
    first
  }
  dialog {
    kind
    message
    defaultValue
  }
  messages {
    ...MessageFields
  }
  textBlocks {
    kind
    text
    before
  }
}
fragment DiffFields on SpaceDiff {
  added {
    ...ActionFields
  }
  removed {
    ...ActionFields
  }
  changed {
    ...ActionFields
  }
  covered
  uncovered
  reordered
  messages {
    ...MessageFields
  }
  markdown
}
fragment MetadataFields on PageMetadata {
  url
  title
  timestamp
  httpStatus
  tabs {
    id
    title
    url
    active
  }
}
fragment DataFields on ScrapedData {
  mainContent
  markdown
  text
  links {
    url
    text
  }
  images {
    id
    url
    alt
    category
    width
    height
  }
  structured
  metadata {
    byline
    published
    lang
    siteName
    canonical
    excerpt
  }
  pdf
  extracted
  rawHtml
  extractErrors {
    path
    message
  }
  contentType
  truncated
  cursor
  incomplete
}`, {"fragmentName":"ClientObservation"}) as unknown as TypedDocumentString<ClientObservationFragment, unknown>;
export const DownloadFieldsFragmentDoc = new TypedDocumentString(`
    fragment DownloadFields on Download {
  id
  name
  bytes
  createdAt
  url
}
    `, {"fragmentName":"DownloadFields"}) as unknown as TypedDocumentString<DownloadFieldsFragment, unknown>;
export const UploadFieldsFragmentDoc = new TypedDocumentString(`
    fragment UploadFields on Upload {
  id
  name
  bytes
  createdAt
}
    `, {"fragmentName":"UploadFields"}) as unknown as TypedDocumentString<UploadFieldsFragment, unknown>;
export const ClientPerformedFragmentDoc = new TypedDocumentString(`
    fragment ClientPerformed on PerformedOperation {
  id
  durationMs
  caller {
    kind
    keyId
    keyName
  }
  input {
    url
    actionId
    role
    name
    frame
    nth
    fingerprint
    gesture
    targets {
      actionId
      role
      name
      frame
      nth
      fingerprint
    }
    value
    enter
    params
  }
  observationId
  url
  title
  messages {
    kind
    text
  }
  downloads
  console
}
    `, {"fragmentName":"ClientPerformed"}) as unknown as TypedDocumentString<ClientPerformedFragment, unknown>;
export const ClientStartDocument = new TypedDocumentString(`
    mutation ClientStart($input: StartSessionInput!) {
  startSession(input: $input) {
    ...SessionFields
  }
}
    fragment SessionFields on Session {
  id
  status
  createdAt
  lastAccessedAt
  duration
  timeoutMinutes
  error
  durationMs
  expiresAt
  endedAt
  endReason
  startedBy {
    kind
    keyId
    keyName
  }
  endedBy {
    kind
    keyId
    keyName
  }
  url
  pageTitle
  name
  labels
  record
  pageLog
  options {
    viewport {
      width
      height
    }
    device
    userAgent
    locale
    timezone
    geolocation {
      latitude
      longitude
      accuracy
    }
    colorScheme
    reducedMotion
    dismissBanners
    permissions
    headers {
      origin
      name
    }
    httpCredentials {
      origin
      username
    }
    block
    profile {
      name
      mode
    }
    maxLifetimeMinutes
  }
  runningOperation {
    kind
    actionId
    startedAt
    approval {
      id
      kinds
      actionId
      description
      value
      since
      until
    }
  }
  takeOver {
    status
    instructions
    holder
    since
    until
  }
  dialog {
    kind
    message
    defaultValue
  }
  screenshotIsCut
}`) as unknown as TypedDocumentString<ClientStartMutation, ClientStartMutationVariables>;
export const ClientObserveDocument = new TypedDocumentString(`
    mutation ClientObserve($input: ObserveInput!, $screenshot: Boolean!, $content: Boolean!) {
  observe(input: $input) {
    ...ClientObservation
  }
}
    fragment SessionFields on Session {
  id
  status
  createdAt
  lastAccessedAt
  duration
  timeoutMinutes
  error
  durationMs
  expiresAt
  endedAt
  endReason
  startedBy {
    kind
    keyId
    keyName
  }
  endedBy {
    kind
    keyId
    keyName
  }
  url
  pageTitle
  name
  labels
  record
  pageLog
  options {
    viewport {
      width
      height
    }
    device
    userAgent
    locale
    timezone
    geolocation {
      latitude
      longitude
      accuracy
    }
    colorScheme
    reducedMotion
    dismissBanners
    permissions
    headers {
      origin
      name
    }
    httpCredentials {
      origin
      username
    }
    block
    profile {
      name
      mode
    }
    maxLifetimeMinutes
  }
  runningOperation {
    kind
    actionId
    startedAt
    approval {
      id
      kinds
      actionId
      description
      value
      since
      until
    }
  }
  takeOver {
    status
    instructions
    holder
    since
    until
  }
  dialog {
    kind
    message
    defaultValue
  }
  screenshotIsCut
}
fragment ActionFields on Action {
  id
  description
  category
  kind
  status
  params {
    name
    type
    default
    values
  }
  role
  name
  value
  checked
  disabled
  expanded
  inViewport
  bounds {
    x
    y
    width
    height
  }
  frame
  fingerprint
}
fragment MessageFields on PageMessage {
  kind
  text
  action
  page
  isNew
}
fragment SpaceFields on Space {
  description
  category
  markdown
  actions {
    ...ActionFields
  }
  specialActions {
    ...ActionFields
  }
  browserActions {
    ...ActionFields
  }
  totalActions
  truncated
  pending {
    requests
    timers
    busy
    navigation
  }
  downloads {
    fileId
    name
    state
  }
  console {
    errors
    first
  }
  dialog {
    kind
    message
    defaultValue
  }
  messages {
    ...MessageFields
  }
  textBlocks {
    kind
    text
    before
  }
}
fragment DiffFields on SpaceDiff {
  added {
    ...ActionFields
  }
  removed {
    ...ActionFields
  }
  changed {
    ...ActionFields
  }
  covered
  uncovered
  reordered
  messages {
    ...MessageFields
  }
  markdown
}
fragment MetadataFields on PageMetadata {
  url
  title
  timestamp
  httpStatus
  tabs {
    id
    title
    url
    active
  }
}
fragment DataFields on ScrapedData {
  mainContent
  markdown
  text
  links {
    url
    text
  }
  images {
    id
    url
    alt
    category
    width
    height
  }
  structured
  metadata {
    byline
    published
    lang
    siteName
    canonical
    excerpt
  }
  pdf
  extracted
  rawHtml
  extractErrors {
    path
    message
  }
  contentType
  truncated
  cursor
  incomplete
}
fragment ClientObservation on Observation {
  id
  session {
    ...SessionFields
  }
  metadata {
    ...MetadataFields
  }
  screenshot @include(if: $screenshot)
  space {
    ...SpaceFields
  }
  diff {
    ...DiffFields
  }
  data @include(if: $content) {
    ...DataFields
  }
}`) as unknown as TypedDocumentString<ClientObserveMutation, ClientObserveMutationVariables>;
export const ClientStepDocument = new TypedDocumentString(`
    mutation ClientStep($input: StepInput!, $screenshot: Boolean!, $content: Boolean!) {
  step(input: $input) {
    ...ClientObservation
  }
}
    fragment SessionFields on Session {
  id
  status
  createdAt
  lastAccessedAt
  duration
  timeoutMinutes
  error
  durationMs
  expiresAt
  endedAt
  endReason
  startedBy {
    kind
    keyId
    keyName
  }
  endedBy {
    kind
    keyId
    keyName
  }
  url
  pageTitle
  name
  labels
  record
  pageLog
  options {
    viewport {
      width
      height
    }
    device
    userAgent
    locale
    timezone
    geolocation {
      latitude
      longitude
      accuracy
    }
    colorScheme
    reducedMotion
    dismissBanners
    permissions
    headers {
      origin
      name
    }
    httpCredentials {
      origin
      username
    }
    block
    profile {
      name
      mode
    }
    maxLifetimeMinutes
  }
  runningOperation {
    kind
    actionId
    startedAt
    approval {
      id
      kinds
      actionId
      description
      value
      since
      until
    }
  }
  takeOver {
    status
    instructions
    holder
    since
    until
  }
  dialog {
    kind
    message
    defaultValue
  }
  screenshotIsCut
}
fragment ActionFields on Action {
  id
  description
  category
  kind
  status
  params {
    name
    type
    default
    values
  }
  role
  name
  value
  checked
  disabled
  expanded
  inViewport
  bounds {
    x
    y
    width
    height
  }
  frame
  fingerprint
}
fragment MessageFields on PageMessage {
  kind
  text
  action
  page
  isNew
}
fragment SpaceFields on Space {
  description
  category
  markdown
  actions {
    ...ActionFields
  }
  specialActions {
    ...ActionFields
  }
  browserActions {
    ...ActionFields
  }
  totalActions
  truncated
  pending {
    requests
    timers
    busy
    navigation
  }
  downloads {
    fileId
    name
    state
  }
  console {
    errors
    first
  }
  dialog {
    kind
    message
    defaultValue
  }
  messages {
    ...MessageFields
  }
  textBlocks {
    kind
    text
    before
  }
}
fragment DiffFields on SpaceDiff {
  added {
    ...ActionFields
  }
  removed {
    ...ActionFields
  }
  changed {
    ...ActionFields
  }
  covered
  uncovered
  reordered
  messages {
    ...MessageFields
  }
  markdown
}
fragment MetadataFields on PageMetadata {
  url
  title
  timestamp
  httpStatus
  tabs {
    id
    title
    url
    active
  }
}
fragment DataFields on ScrapedData {
  mainContent
  markdown
  text
  links {
    url
    text
  }
  images {
    id
    url
    alt
    category
    width
    height
  }
  structured
  metadata {
    byline
    published
    lang
    siteName
    canonical
    excerpt
  }
  pdf
  extracted
  rawHtml
  extractErrors {
    path
    message
  }
  contentType
  truncated
  cursor
  incomplete
}
fragment ClientObservation on Observation {
  id
  session {
    ...SessionFields
  }
  metadata {
    ...MetadataFields
  }
  screenshot @include(if: $screenshot)
  space {
    ...SpaceFields
  }
  diff {
    ...DiffFields
  }
  data @include(if: $content) {
    ...DataFields
  }
}`) as unknown as TypedDocumentString<ClientStepMutation, ClientStepMutationVariables>;
export const ClientScrapeDocument = new TypedDocumentString(`
    mutation ClientScrape($input: ScrapeInput!, $screenshot: Boolean!, $content: Boolean!) {
  scrape(input: $input) {
    ...ClientObservation
  }
}
    fragment SessionFields on Session {
  id
  status
  createdAt
  lastAccessedAt
  duration
  timeoutMinutes
  error
  durationMs
  expiresAt
  endedAt
  endReason
  startedBy {
    kind
    keyId
    keyName
  }
  endedBy {
    kind
    keyId
    keyName
  }
  url
  pageTitle
  name
  labels
  record
  pageLog
  options {
    viewport {
      width
      height
    }
    device
    userAgent
    locale
    timezone
    geolocation {
      latitude
      longitude
      accuracy
    }
    colorScheme
    reducedMotion
    dismissBanners
    permissions
    headers {
      origin
      name
    }
    httpCredentials {
      origin
      username
    }
    block
    profile {
      name
      mode
    }
    maxLifetimeMinutes
  }
  runningOperation {
    kind
    actionId
    startedAt
    approval {
      id
      kinds
      actionId
      description
      value
      since
      until
    }
  }
  takeOver {
    status
    instructions
    holder
    since
    until
  }
  dialog {
    kind
    message
    defaultValue
  }
  screenshotIsCut
}
fragment ActionFields on Action {
  id
  description
  category
  kind
  status
  params {
    name
    type
    default
    values
  }
  role
  name
  value
  checked
  disabled
  expanded
  inViewport
  bounds {
    x
    y
    width
    height
  }
  frame
  fingerprint
}
fragment MessageFields on PageMessage {
  kind
  text
  action
  page
  isNew
}
fragment SpaceFields on Space {
  description
  category
  markdown
  actions {
    ...ActionFields
  }
  specialActions {
    ...ActionFields
  }
  browserActions {
    ...ActionFields
  }
  totalActions
  truncated
  pending {
    requests
    timers
    busy
    navigation
  }
  downloads {
    fileId
    name
    state
  }
  console {
    errors
    first
  }
  dialog {
    kind
    message
    defaultValue
  }
  messages {
    ...MessageFields
  }
  textBlocks {
    kind
    text
    before
  }
}
fragment DiffFields on SpaceDiff {
  added {
    ...ActionFields
  }
  removed {
    ...ActionFields
  }
  changed {
    ...ActionFields
  }
  covered
  uncovered
  reordered
  messages {
    ...MessageFields
  }
  markdown
}
fragment MetadataFields on PageMetadata {
  url
  title
  timestamp
  httpStatus
  tabs {
    id
    title
    url
    active
  }
}
fragment DataFields on ScrapedData {
  mainContent
  markdown
  text
  links {
    url
    text
  }
  images {
    id
    url
    alt
    category
    width
    height
  }
  structured
  metadata {
    byline
    published
    lang
    siteName
    canonical
    excerpt
  }
  pdf
  extracted
  rawHtml
  extractErrors {
    path
    message
  }
  contentType
  truncated
  cursor
  incomplete
}
fragment ClientObservation on Observation {
  id
  session {
    ...SessionFields
  }
  metadata {
    ...MetadataFields
  }
  screenshot @include(if: $screenshot)
  space {
    ...SpaceFields
  }
  diff {
    ...DiffFields
  }
  data @include(if: $content) {
    ...DataFields
  }
}`) as unknown as TypedDocumentString<ClientScrapeMutation, ClientScrapeMutationVariables>;
export const ClientCloseDocument = new TypedDocumentString(`
    mutation ClientClose($input: CloseSessionInput!) {
  closeSession(input: $input) {
    ...SessionFields
  }
}
    fragment SessionFields on Session {
  id
  status
  createdAt
  lastAccessedAt
  duration
  timeoutMinutes
  error
  durationMs
  expiresAt
  endedAt
  endReason
  startedBy {
    kind
    keyId
    keyName
  }
  endedBy {
    kind
    keyId
    keyName
  }
  url
  pageTitle
  name
  labels
  record
  pageLog
  options {
    viewport {
      width
      height
    }
    device
    userAgent
    locale
    timezone
    geolocation {
      latitude
      longitude
      accuracy
    }
    colorScheme
    reducedMotion
    dismissBanners
    permissions
    headers {
      origin
      name
    }
    httpCredentials {
      origin
      username
    }
    block
    profile {
      name
      mode
    }
    maxLifetimeMinutes
  }
  runningOperation {
    kind
    actionId
    startedAt
    approval {
      id
      kinds
      actionId
      description
      value
      since
      until
    }
  }
  takeOver {
    status
    instructions
    holder
    since
    until
  }
  dialog {
    kind
    message
    defaultValue
  }
  screenshotIsCut
}`) as unknown as TypedDocumentString<ClientCloseMutation, ClientCloseMutationVariables>;
export const ClientSessionDocument = new TypedDocumentString(`
    query ClientSession($id: ID!) {
  session(id: $id) {
    ...SessionFields
    downloads {
      ...DownloadFields
    }
    uploads {
      ...UploadFields
    }
  }
}
    fragment SessionFields on Session {
  id
  status
  createdAt
  lastAccessedAt
  duration
  timeoutMinutes
  error
  durationMs
  expiresAt
  endedAt
  endReason
  startedBy {
    kind
    keyId
    keyName
  }
  endedBy {
    kind
    keyId
    keyName
  }
  url
  pageTitle
  name
  labels
  record
  pageLog
  options {
    viewport {
      width
      height
    }
    device
    userAgent
    locale
    timezone
    geolocation {
      latitude
      longitude
      accuracy
    }
    colorScheme
    reducedMotion
    dismissBanners
    permissions
    headers {
      origin
      name
    }
    httpCredentials {
      origin
      username
    }
    block
    profile {
      name
      mode
    }
    maxLifetimeMinutes
  }
  runningOperation {
    kind
    actionId
    startedAt
    approval {
      id
      kinds
      actionId
      description
      value
      since
      until
    }
  }
  takeOver {
    status
    instructions
    holder
    since
    until
  }
  dialog {
    kind
    message
    defaultValue
  }
  screenshotIsCut
}
fragment DownloadFields on Download {
  id
  name
  bytes
  createdAt
  url
}
fragment UploadFields on Upload {
  id
  name
  bytes
  createdAt
}`) as unknown as TypedDocumentString<ClientSessionQuery, ClientSessionQueryVariables>;
export const ClientSessionsDocument = new TypedDocumentString(`
    query ClientSessions($status: [SessionStatus!], $search: String, $first: Int, $after: String) {
  sessions(status: $status, search: $search, first: $first, after: $after) {
    edges {
      node {
        ...SessionFields
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment SessionFields on Session {
  id
  status
  createdAt
  lastAccessedAt
  duration
  timeoutMinutes
  error
  durationMs
  expiresAt
  endedAt
  endReason
  startedBy {
    kind
    keyId
    keyName
  }
  endedBy {
    kind
    keyId
    keyName
  }
  url
  pageTitle
  name
  labels
  record
  pageLog
  options {
    viewport {
      width
      height
    }
    device
    userAgent
    locale
    timezone
    geolocation {
      latitude
      longitude
      accuracy
    }
    colorScheme
    reducedMotion
    dismissBanners
    permissions
    headers {
      origin
      name
    }
    httpCredentials {
      origin
      username
    }
    block
    profile {
      name
      mode
    }
    maxLifetimeMinutes
  }
  runningOperation {
    kind
    actionId
    startedAt
    approval {
      id
      kinds
      actionId
      description
      value
      since
      until
    }
  }
  takeOver {
    status
    instructions
    holder
    since
    until
  }
  dialog {
    kind
    message
    defaultValue
  }
  screenshotIsCut
}`) as unknown as TypedDocumentString<ClientSessionsQuery, ClientSessionsQueryVariables>;
export const ClientConsoleDocument = new TypedDocumentString(`
    subscription ClientConsole($sessionId: ID!, $after: Int) {
  consoleMessages(sessionId: $sessionId, after: $after) {
    number
    at
    tabId
    level
    text
    url
    line
  }
}
    `) as unknown as TypedDocumentString<ClientConsoleSubscription, ClientConsoleSubscriptionVariables>;
export const ClientNetworkDocument = new TypedDocumentString(`
    subscription ClientNetwork($sessionId: ID!, $after: Int) {
  networkRequests(sessionId: $sessionId, after: $after) {
    number
    at
    tabId
    method
    url
    resourceType
    status
    statusText
    mimeType
    protocol
    bytes
    durationMs
    servedBy
    redirectUrl
    error
    blockedReason
  }
}
    `) as unknown as TypedDocumentString<ClientNetworkSubscription, ClientNetworkSubscriptionVariables>;
export const ClientEventsDocument = new TypedDocumentString(`
    subscription ClientEvents($sessionId: ID!, $after: Int) {
  sessionEvents(sessionId: $sessionId, after: $after) {
    __typename
    id
    seq
    at
    type
    performed {
      ...ClientPerformed
    }
    ... on SessionObservedEvent {
      url
      totalActions
    }
    ... on SessionSteppedEvent {
      url
      action {
        id
        description
      }
    }
    ... on SessionScrapedEvent {
      url
    }
    ... on SessionFailedEvent {
      operation
      failure {
        code
        title
        detail
      }
    }
    ... on SessionDialogEvent {
      kind
      message
    }
    ... on SessionTabEvent {
      tabId
      opened
      url
    }
    ... on SessionDownloadEvent {
      downloadId
      fileName
    }
    ... on SessionBlockedEvent {
      url
      detail
    }
    ... on SessionEndedEvent {
      status
      reason
    }
  }
}
    fragment ClientPerformed on PerformedOperation {
  id
  durationMs
  caller {
    kind
    keyId
    keyName
  }
  input {
    url
    actionId
    role
    name
    frame
    nth
    fingerprint
    gesture
    targets {
      actionId
      role
      name
      frame
      nth
      fingerprint
    }
    value
    enter
    params
  }
  observationId
  url
  title
  messages {
    kind
    text
  }
  downloads
  console
}`) as unknown as TypedDocumentString<ClientEventsSubscription, ClientEventsSubscriptionVariables>;
export const ClientFramesDocument = new TypedDocumentString(`
    subscription ClientFrames($sessionId: ID!, $maxWidth: Int, $quality: Int) {
  sessionFrames(sessionId: $sessionId, maxWidth: $maxWidth, quality: $quality) {
    at
    image
    width
    height
    tabId
  }
}
    `) as unknown as TypedDocumentString<ClientFramesSubscription, ClientFramesSubscriptionVariables>;
export const ClientStatusDocument = new TypedDocumentString(`
    subscription ClientStatus($sessionId: ID, $statuses: [SessionStatus!]) {
  sessionStatusChanged(sessionId: $sessionId, statuses: $statuses) {
    ...SessionFields
  }
}
    fragment SessionFields on Session {
  id
  status
  createdAt
  lastAccessedAt
  duration
  timeoutMinutes
  error
  durationMs
  expiresAt
  endedAt
  endReason
  startedBy {
    kind
    keyId
    keyName
  }
  endedBy {
    kind
    keyId
    keyName
  }
  url
  pageTitle
  name
  labels
  record
  pageLog
  options {
    viewport {
      width
      height
    }
    device
    userAgent
    locale
    timezone
    geolocation {
      latitude
      longitude
      accuracy
    }
    colorScheme
    reducedMotion
    dismissBanners
    permissions
    headers {
      origin
      name
    }
    httpCredentials {
      origin
      username
    }
    block
    profile {
      name
      mode
    }
    maxLifetimeMinutes
  }
  runningOperation {
    kind
    actionId
    startedAt
    approval {
      id
      kinds
      actionId
      description
      value
      since
      until
    }
  }
  takeOver {
    status
    instructions
    holder
    since
    until
  }
  dialog {
    kind
    message
    defaultValue
  }
  screenshotIsCut
}`) as unknown as TypedDocumentString<ClientStatusSubscription, ClientStatusSubscriptionVariables>;