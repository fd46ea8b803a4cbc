import { fieldFailure } from './failure/failures.ts';
import { addressText, missingInAddress, WRITTEN_WITHOUT_SLASHES } from './webAddress.ts';

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Names and addresses of this machine, where servers rarely have certificates. */
const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?:[:/?#]|$)/i;

/** Adds `https://` to a URL without a scheme, `http://` for this machine. @throws Failure VALIDATION_ERROR if it is relative, or lacks slashes or host */
export function withDefaultScheme(text: string): string {
  const address = addressText(text);
  const missing = missingInAddress(address);
  if (missing !== null) throw fieldFailure('url', missing);
  if (HAS_SCHEME.test(address) || WRITTEN_WITHOUT_SLASHES.test(address)) return address;
  return `${LOOPBACK.test(address) ? 'http' : 'https'}://${address}`;
}
