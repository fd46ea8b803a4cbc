import { notifyFailure } from './notices.tsx';

/** Saves what an address of the service returns. @param what names it where it cannot be read */
export async function saveFile(
  url: string,
  name: string,
  what: 'file' | 'ledger',
  key: string | null,
): Promise<void> {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key ?? ''}` } });
    if (!response.ok) throw new Error(`The ${what} cannot be read: status ${response.status}.`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    notifyFailure(error);
  }
}
