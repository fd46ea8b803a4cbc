/** What a tab shows that is not HTML, as it came over the network. */
import type { Json } from '../../../domain/json.ts';
import type { Deadline } from '../../../domain/ports/deadline.ts';
import type { Tab } from '../../tab/tab.ts';
import { type ImageSize, type Resource, resourceKind } from './scrapeResource.ts';

/** Null for HTML, and where the browser no longer has the answer: then what it made of it is read. */
export async function tabResource(tab: Tab, deadline: Deadline): Promise<Resource | null> {
  const { document } = tab.network;
  if (document === null || resourceKind(document.contentType) === null) return null;
  const pendingBody = tab.target.channel.send(
    'Network.getResponseBody',
    { requestId: document.id },
    deadline,
  );
  const response = await pendingBody.catch(error => {
    if (deadline.signal.aborted) throw error;
    return null;
  });
  if (response === null) return null;
  // Text comes decoded already.
  const contentType = response.base64Encoded
    ? document.contentType
    : `${document.contentType.split(';', 1)[0]}; charset=utf-8`;
  const body = Buffer.from(response.body, response.base64Encoded ? 'base64' : 'utf8');
  const size = resourceKind(document.contentType) === 'image' ? await imageSize(tab, deadline) : null;
  return { contentType, body, url: tab.redactedUrl, ...(size !== null && { size }) };
}

/** The picture's own size; a drawing's is what it says of itself. */
const IMAGE_SIZE_SOURCE = `(() => {
  const whole = (width, height) => width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : null;
  const root = document.documentElement;
  if (root instanceof SVGSVGElement) {
    const pixels = ({ baseVal }) => baseVal.unitType === SVGLength.SVG_LENGTHTYPE_PERCENTAGE ? 0 : baseVal.value;
    const { width, height } = root.viewBox.baseVal ?? {};
    return whole(pixels(root.width), pixels(root.height)) ?? whole(width, height);
  }
  const image = document.querySelector('img');
  return image === null ? null : whole(image.naturalWidth, image.naturalHeight);
})()`;

async function imageSize(tab: Tab, deadline: Deadline): Promise<ImageSize | null> {
  const asked = tab.world(deadline).then(world => world.evaluate<Json>(IMAGE_SIZE_SOURCE));
  const size = await tab.interruptible(asked).catch(error => {
    if (deadline.signal.aborted) throw error;
    return null;
  });
  return size as ImageSize | null;
}
