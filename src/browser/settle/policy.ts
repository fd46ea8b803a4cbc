/**
 * Every number of the waits for the effects of a step, with the page or the measurement that it comes from. Milliseconds, unless a
 * comment says otherwise. "Late pages" are those of `npm run bench:late`.
 */

// ---- What a step has begun: timers, messages, frames (the page's own world) ----

/** Timers due within this time are waited for, and answers, and frames that a step has added and that show nothing, so long. The toasts of component libraries close after 3 s and later; the late pages have 2,500. */
export const EFFECT_MS = 2_900;
/** The same once the step has added a control: it may be an offer such as Undo, which a timer takes back. Snackbars with an action stay 2.5 s and longer. */
export const OFFERED_MS = 2_200;
/** The same for a navigation that has been announced. Pages that say "in 3 seconds". */
export const NAVIGATION_MS = 3_200;
/** Timers of one delay, and frames, are pending, and no longer waited for, once so many presses of one element in a row have set some that changed nothing: statistics. The noise of `bench:late`. */
export const MAX_IDLE_STEPS = 5;
/** Messages without an answer in time after which a worker or socket is not awaited before it answers again. */
export const MAX_SILENCES = 3;
/** Maximum wait for one more answer of a worker, socket or event stream that has answered. Search in a worker answers in parts about every 100 ms; the late pages have 350. */
export const NEXT_ANSWER_MS = 500;
/** Frames after work of the step in which what begins to move is moved by it: pages set a class in the second, and one is to spare. The late pages whose timer follows a transition. */
export const BEGINNING_FRAMES = 3;
/** Time after a message within the window in which its listener has run. React's scheduler posts within 5 ms. */
export const POSTED_MS = 50;
/** Maximum delay of a timer that is recorded: later ones are those of sessions that time out. */
export const RECORDED_TIMER_MS = 60_000;
/** Number of recorded tasks. A grid of 500 cells sets one timer for each. */
export const MAX_TASKS = 500;
/** Number of frames opened by a step whose work is asked for, the latest: each costs three calls. */
export const MAX_NEW_FRAMES = 20;
/** Number of timers that an answer tells. */
export const MAX_TOLD_TIMERS = 20;
/** Characters of a failure of the recorder that are told: it may be a text of the page. */
export const MAX_FAILURE_TEXT = 200;

// ---- What the document shows (the isolated world) ----

/** Frames without a change after which a document is quiet, if it is not known what the step has begun. An animation by script changes something in each. */
export const QUIET_FRAMES = 3;
/** The same, if the work of the step is recorded: nothing else can follow; and if its step has sent requests. */
export const STILL_FRAMES = 1;
export const STILL_FRAMES_AFTER_REQUESTS = 2;
/** Maximum wait for a document that changes without end to become quiet: a clock, an animation by script. */
export const DOCUMENT_MS = 800;
/** Maximum wait for the first frame of a wait; for each later one, `QUIET_FRAMES` times as long. Two frames at 60 Hz. */
export const FRAME_TIMEOUT_MS = 32;
/** Maximum wait for each of the two frames after which the observers of intersections have been notified. */
export const INTERSECTIONS_MS = 1_000;
/** A node counts as a clock if it has changed without a step within this time, `MIN_BACKGROUND_CHANGES` times or more. */
export const BACKGROUND_WINDOW_MS = 3_000;
/** Changes without a step that make a node a clock: a single one may be the late end of a step. */
export const MIN_BACKGROUND_CHANGES = 2;
/** Number of nodes whose changes are remembered, and of changed nodes in which busy indicators are looked for. */
export const MAX_NODES = 300;
/** A longer animation, by styles or by script, is that of a toast, which takes its effect back, or has no end. Material's and Bootstrap's last 0.15 to 0.6 s, counters 1 s; the late pages have 1.2 s. */
export const EFFECT_ANIMATION_MS = 1_600;
/** Time between two looks at the recorded work and at the busy indicators, in the page. */
export const PAGE_CHECK_MS = 10;
/** Maximum wait for an indicator from when it is seen first, and for a new document that shows nothing: the default of `wait_ms`. */
export const BUSY_MS = 5_000;
/** A bar that stands still for so long tells a state, such as that of a profile. */
export const BAR_STILL_MS = 1_000;
/** Age up to which the work of a new document is recorded, and a document that shows nothing is told to be filled by its scripts. */
export const UNFILLED_MS = 15_000;
/** A new document with more text shows something. Characters. */
export const MAX_UNFILLED_TEXT = 200;
/** Maximum length of a text that says that the page is busy: a line of a status bar. Characters. */
export const MAX_BUSY_TEXT = 80;
/** Number of elements and of texts that are tried as busy indicators, and of indicators that an answer tells. Longer searches take milliseconds in a list of 2,000 rows. */
export const MAX_BUSY_CANDIDATES = 400;
export const MAX_BUSY_TEXTS = 2_000;
export const MAX_BUSY_SIGNS = 5;
/** Number of characters of a changed node that are searched for a visible one: indentation is shorter. */
export const MAX_SEARCHED_TEXT = 2_000;

// ---- The rounds of the service ----

/** Time between two looks at the network. */
export const CHECK_MS = 250;
/** Maximum wait for a page to settle, beyond the caller's `wait_ms`: documents that load, one after the other. */
export const SETTLE_MS = 15_000;
/** Part of the time until the deadline of the operation that settling may use: the page must be read afterwards. */
export const DEADLINE_PART = 0.7;
/** Maximum wait for the load of a document whose scripts are paused. */
export const PAUSED_MS = 1_500;
/** A page that begins this many navigations, each in place of the one before, never gets a document from them. */
export const MAX_REPLACED_NAVIGATIONS = 5;
/**
 * Maximum wait for what may never end: a request of a new document that says nothing of loading (a long poll), work in one that offers nothing
 * to do, the first effect of a step where news come by a stream, a poll or a new frame, and an image. The late pages have up to 2,400.
 */
export const DOUBTFUL_MS = 2_500;
/** Time beyond a wait in the page, in which the page answers other calls, after which no answer is expected any more. */
export const GRACE_MS = 1_000;

// ---- The network ----

/** Maximum wait for the load event of a document, from the time when it is parsed. A document whose image never comes takes this time once. */
export const LOAD_EVENT_MS = 3_000;
/** Number of open requests that are remembered; beyond it the oldest are forgotten. */
export const MAX_OPEN_REQUESTS = 3_000;
/** Maximum wait for the rest of a response that has begun: what takes longer is a stream. The late page with 1,800. */
export const BODY_MS = 2_000;
/** Time after the headers of a response in which the rest of a short one has come. */
export const SILENT_BODY_MS = 80;
/** Number of requests in a row that make a poll if no operation can have caused one of them. */
export const MIN_POLLS = 3;
/** A request that follows the end of a long poll within this time is the next one. */
export const CONTINUATION_MS = 300;
/** Minimum duration of a request that waits for news: the answer to a question comes earlier. */
export const MIN_LONG_POLL_MS = 1_000;
/** Time after an operation in which a request may still be its late effect. */
export const OPERATION_TAIL_MS = 500;
/** A poll that comes less often brings no news of an operation in time. */
export const NEWS_POLL_MS = 2_000;
/** A longer time without a request is a break: in mean times between requests, and in milliseconds. */
export const POLL_BREAK = { periods: 3, ms: 150 };
/** A step that begins to load more images than this fills a list; their loading has no effect of its own. */
export const MAX_IMAGES_OF_STEP = 3;
