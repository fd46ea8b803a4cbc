/** The home page /: describes the service and its APIs, and creates keys. */
import { escapeHtml, htmlPage } from './htmlPage.ts';

/** Path of the script that the home page loads. */
export const HOME_SCRIPT_PATH = '/assets/home.js';

/**
 * The Content-Security-Policy of the home page. It allows only the service's own script and style sheet, and requests
 * to the service.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const exampleCalls = (origin: string, exampleUrl: string): string => String.raw`KEY=psk_…
call() {
  curl -sS "${origin}$1" -d "$2" \
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json'; echo
}

# start a session and keep its session_id
ID=$(call /session/start '{}' | cut -d '"' -f 4); echo $ID
# list the page's actions, each with an id
call /env/observe '{"session_id": "'$ID'", "url": "${exampleUrl}"}'
# perform one action and list the actions of the page after it
call /env/step '{"session_id": "'$ID'", "action_id": "L1"}'
# get the page's content
call /env/scrape '{"session_id": "'$ID'"}'
call /session/close '{"session_id": "'$ID'"}'`;

/** A page with the ids of its actions, beside the list that a program gets: what the service does, in one picture. */
const PICTURE = `<div class="picture" role="img" aria-label="A page of a shop with a short id at each control, and beside it the list of these actions as a program gets it">
<div class="mock" aria-hidden="true"><i></i><span class="link" data-id="L1">All papers</span><span class="link" data-id="L2">About us</span>
<b>Cotton, 300 g</b><span class="text">A heavy paper for watercolour.</span><span class="press" data-id="B2">Add to basket</span>
<span class="entry" data-id="I1">Search papers</span></div>
<pre aria-hidden="true"><code><em>L1</em> "All papers"
<em>L2</em> "About us"
<em>B2</em> "Add to basket", "Cotton, 300 g"
<em>I1</em> "Search papers", text

step <em>B2</em> → what changed
+ "1 paper in your basket."</code></pre></div>`;

/**
 * Creates the home page.
 * @param hasGraphiql true to link to GraphiQL
 * @param origin the service's own origin, for the example calls
 * @param exampleUrl the page that the example calls open
 */
export const homePage = (version: string, hasGraphiql: boolean, origin: string, exampleUrl: string) =>
  htmlPage(
    'pagespace',
    `<p class="brand"><span aria-hidden="true"></span>pagespace</p>
<h1>Web pages, as a list your program can act on</h1>
<p class="lead">Opens a web page in a real browser session and gives your program a short list of the actions on it, each with
an id. Your program performs actions by their ids, gets the page's content, and closes the session.</p>
<p class="doors"><a class="door first" href="/dashboard/try">Try it on a page</a><a class="door" href="/dashboard">Open the dashboard</a><a class="door" href="#key">Get a key</a></p>
${PICTURE}
<ul class="links">
<li><a href="/dashboard">Dashboard</a><span>see what your program sees: live sessions, and each step as it happened</span></li>
<li><a href="/docs">REST</a><span>all paths with their fields and responses; you can try them on the page</span></li>
${hasGraphiql ? '<li><a href="/graphql">GraphQL</a><span>the same operations, lists of sessions and live status, in GraphiQL</span></li>' : ''}
<li><a href="/llms.txt">MCP</a><span>the same operations as tools for agents, at <code>/mcp</code>; the page tells a model all ways in</span></li>
<li><a href="/failures">Failures</a><span>all error codes and what to do</span></li>
<li><a href="/openapi.json">openapi.json</a><span>the REST API for tools</span></li>
<li><a href="/health">Health</a><span>is the service running? <a href="/ready">/ready</a>: can it start a session?</span></li>
</ul>
<h2 id="key">Get an API key</h2>
<p>If the service runs on your machine, you have one: <code>npm start</code> printed it, and keeps it in the file <code>data/key</code>. On another service, connect a wallet and
sign a message. This costs nothing and makes no transaction. The free tier is for testing.</p>
<div id="wallet"><noscript>Wallets need JavaScript. The operator of this service creates keys with
<code>npm run keys -- create</code>.</noscript></div>
<h2>Example</h2>
<pre data-copy tabindex="0"><code>${escapeHtml(exampleCalls(origin, exampleUrl))}</code></pre>
<p>Every request needs the header <code>Authorization: Bearer &lt;API_KEY&gt;</code>. The operator of this service can also create keys
with <code>npm run keys -- create</code>.</p>
<p><small>Version ${escapeHtml(version)}</small></p>
<script src="${HOME_SCRIPT_PATH}"></script>`,
    CONTENT_SECURITY_POLICY,
  );
