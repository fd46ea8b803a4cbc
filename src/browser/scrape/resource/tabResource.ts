/** What a tab shows that is not HTML, as it came over the network. */
import type { Deadline } from '../../../domain/ports.ts';
import type { Tab } from '../../tab.ts';
import { type Resource, resourceKind } from './scrapeResource.ts';

/** Null for HTML, and where the browser no longer has the answer: then what it made of it is read. */
export async function tabResource(tab: Tab, deadline: Deadline): Promise<Resource | null> {
  const { document } = tab.activity;
  if (document === null || resourceKind(document.contentType) === null) return null;
  const asked = tab.target.channel.send('Network.getResponseBody', { requestId: document.id }, deadline);
  const answer = await asked.catch(error => {
    if (deadline.signal.aborted) throw error;
    return null;
  });
  if (answer === null) return null;
  // Text comes decoded already.
  const contentType = answer.base64Encoded
    ? document.contentType
    : `${document.contentType.split(';', 1)[0]}; charset=utf-8`;
  const body = Buffer.from(answer.body, answer.base64Encoded ? 'base64' : 'utf8');
  return { contentType, body, url: tab.page.url() };
}
