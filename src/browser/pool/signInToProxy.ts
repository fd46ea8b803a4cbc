/** Gives the credentials of a session proxy to a browser context. */
import type { Page } from 'playwright';
import { type ProxyCredentials, SIGN_IN_HOST } from '../egress/proxyCredentials.ts';

const SIGN_IN_URL = `http://${SIGN_IN_HOST}/`;

/**
 * Makes one request through the proxy and answers its 407 with the credentials. Chromium caches credentials for each
 * context and proxy, and sends them with every later request and tunnel. Playwright's option `proxy.password` is not used:
 * it intercepts every request of the context for its whole life, which also turns off the HTTP cache.
 * @param page a blank page of the context
 * @throws Error when the proxy refuses the credentials
 */
export async function signInToProxy(page: Page, credentials: ProxyCredentials): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  // A failure of a reaction makes the request fail, which the evaluation below reports.
  const ignore = () => {};
  cdp.on('Fetch.requestPaused', ({ requestId }) => {
    cdp.send('Fetch.continueRequest', { requestId }).catch(ignore);
  });
  cdp.on('Fetch.authRequired', ({ requestId }) => {
    const authChallengeResponse = { response: 'ProvideCredentials' as const, ...credentials };
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignore);
  });
  await cdp.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: `${SIGN_IN_URL}*` }] });
  const { exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression: `fetch('${SIGN_IN_URL}', { mode: 'no-cors', cache: 'no-store' }).then(() => performance.clearResourceTimings())`,
    awaitPromise: true,
  });
  await cdp.detach();
  if (exceptionDetails !== undefined)
    throw new Error('A browser context could not sign in to its session proxy.');
}
