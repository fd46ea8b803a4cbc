import type { HttpContext } from '../http/httpContext.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { getRoute, type HttpRoute } from '../http/httpRoute.ts';
import { HTML, JAVASCRIPT, staticAsset } from './htmlPage.ts';

/** The editor of GraphiQL starts workers from blobs and adds style elements. Scripts come only from the service. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self' blob:; worker-src blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SCRIPT_PATH = '/graphql/graphiql.js';

const DEFAULT_QUERY = `# 1. Put your key under "Headers" below.
# 2. Load the docs: press ↻ on the left.
# 3. Run this with Ctrl+Enter.
query Sessions {
  viewer {
    account {
      name
    }
  }
  sessions(first: 10, status: [ACTIVE]) {
    totalCount
    edges {
      node {
        id
        status
        url
        pageTitle
        duration
      }
    }
  }
}
`;

const PLACEHOLDER_HEADER = 'Bearer psk_YOUR_KEY';

const HEADERS = JSON.stringify({ Authorization: PLACEHOLDER_HEADER }, null, 2);

/** Answers GraphiQL's first introspection, which comes before a key can be entered, with a hint. A key is kept where /docs keeps it too. */
const FETCH_GUARD = `const visitHeaders = () => {
  const key = sessionStorage.getItem('pagespace-key');
  return ${JSON.stringify(HEADERS)}.replace('psk_YOUR_KEY', () => key || 'psk_YOUR_KEY');
};
{
  const ask = window.fetch;
  window.fetch = (input, init) => {
    const sent = new Headers(init?.headers).get('authorization');
    const isTooEarly = sent === ${JSON.stringify(PLACEHOLDER_HEADER)};
    if (!isTooEarly && sent?.startsWith('Bearer ')) sessionStorage.setItem('pagespace-key', sent.slice(7));
    if (!isTooEarly || !String(init?.body).includes('__schema')) return ask.call(window, input, init);
    const message = 'Put your key under "Headers" below, then press ↻ on the left.';
    return Promise.resolve(Response.json({ errors: [{ message }] }));
  };
}
`;

/** Moves the inline script (9 MB) into a file: browsers can cache it, and the Content-Security-Policy allows no inline scripts. */
async function renderPage(): Promise<{ page: string; script: string }> {
  // Import it late: it is large, and most processes never serve it.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const whole = renderGraphiQL({
    title: 'GraphQL · pagespace',
    defaultQuery: DEFAULT_QUERY,
    headers: HEADERS,
    shouldPersistHeaders: false,
    favicon: 'data:,',
  });
  const from = whole.indexOf('<script>');
  const to = whole.lastIndexOf('</script>');
  return {
    page: `${whole.slice(0, from)}<script src="${SCRIPT_PATH}">${whole.slice(to)}`,
    script: FETCH_GUARD + withVisitHeaders(whole.slice(from + '<script>'.length, to)),
  };
}

/** Returns the script with the headers of the visit in place of those that it was made with. @throws Error when it has none */
function withVisitHeaders(script: string): string {
  const at = script.lastIndexOf(JSON.stringify(HEADERS));
  if (at === -1) throw new Error('The script of GraphiQL has lost its headers.');
  return `${script.slice(0, at)}visitHeaders()${script.slice(at + JSON.stringify(HEADERS).length)}`;
}

export interface GraphiqlPage {
  /** Returns the page for a browser that asks for HTML and sends no query; null for every other request. */
  page(http: HttpContext): Promise<HttpResponse> | null;
  readonly script: HttpRoute;
}

/** Creates the GraphiQL page. It is rendered at its first request. */
export function graphiqlPage(): GraphiqlPage {
  let rendered: ReturnType<typeof renderPage> | null = null;
  const render = () => {
    rendered ??= renderPage();
    return rendered;
  };
  const page = staticAsset(async () => (await render()).page, HTML, {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cache-control': 'no-cache',
  });
  return {
    page: http =>
      http.headers.accept?.includes('text/html') && !http.query.has('query') ? page(http) : null,
    script: getRoute(
      SCRIPT_PATH,
      staticAsset(async () => (await render()).script, JAVASCRIPT),
    ),
  };
}
