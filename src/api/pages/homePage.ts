/** The front page: what this is, where its doors are, and where a key is had. */
import { escapeHtml, htmlPage } from './htmlPage.ts';

/** Where the page's script is. */
export const HOME_SCRIPT_PATH = '/assets/home.js';

/** Its own script, which asks nobody but this service. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const exampleCalls = (origin: string): string => String.raw`KEY=psk_…
call() {
  curl -sS "${origin}$1" -d "$2" \
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json'; echo
}

# answers a session with its session_id
ID=$(call /session/start '{}' | cut -d '"' -f 4); echo $ID
# answers the page's actions, each with an id
call /env/observe '{"session_id": "'$ID'", "url": "https://example.com/"}'
# does one of them; answers the page after it
call /env/step '{"session_id": "'$ID'", "action_id": "L1"}'
# answers the page's content
call /env/scrape '{"session_id": "'$ID'"}'
call /session/close '{"session_id": "'$ID'"}'`;

/** @param origin the service's own address, for calls that can be copied */
export const homePage = (version: string, graphiql: boolean, origin: string) =>
  htmlPage(
    'pagespace',
    `<h1>pagespace</h1>
<p class="lead">Opens a web page in a real browser session and tells your program what can be done on it: a short list of
actions, each with an id. Your program does them by their ids, takes the content, and closes the session.</p>
<ul class="doors">
<li><a href="/docs">REST</a><span>every path, with its fields and answers; try them in the page</span></li>
${graphiql ? '<li><a href="/graphql">GraphQL</a><span>the same operations, sessions as a list, live status; GraphiQL in the page</span></li>' : ''}
<li><a href="/failures">Failures</a><span>every way the service says no, and what to do</span></li>
<li><a href="/openapi.json">openapi.json</a><span>the REST description for tools</span></li>
<li><a href="/health">Health</a><span>whether it serves; <a href="/ready">/ready</a> says whether it has room</span></li>
</ul>
<h2 id="key">Get a key</h2>
<p>Connect a wallet and sign a message; that costs nothing and moves nothing. The free tier is for testing.</p>
<div id="wallet"><noscript>Wallets need scripts. Whoever runs this service makes keys with
<code>npm run keys -- create</code>.</noscript></div>
<h2>The flow</h2>
<pre data-copy tabindex="0"><code>${escapeHtml(exampleCalls(origin))}</code></pre>
<p>Every request carries <code>Authorization: Bearer &lt;API_KEY&gt;</code>. Whoever runs this service makes keys with
<code>npm run keys -- create</code> as well.</p>
<p><small>Version ${escapeHtml(version)}</small></p>
<script src="${HOME_SCRIPT_PATH}"></script>`,
    CONTENT_SECURITY_POLICY,
  );
