/** The front page: what this is, and where its doors are. */
import { escaped, page } from './htmlPage.ts';

export const homePage = (version: string, graphiql: boolean) =>
  page(
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
<h2>The flow</h2>
<pre><code>POST /session/start   {}                                    → session_id
POST /env/observe     {"session_id": …, "url": …}           → space.actions
POST /env/step        {"session_id": …, "action_id": "B1"}  → the page after it
POST /env/scrape      {"session_id": …}                     → data.markdown
POST /session/close   {"session_id": …}</code></pre>
<p>Every request carries <code>Authorization: Bearer &lt;API_KEY&gt;</code>. Whoever runs this service makes keys with
<code>npm run keys -- create</code>.</p>
<p><small>Version ${escaped(version)}</small></p>`,
  );
