/** Writes, parses and verifies sign-in messages (EIP-4361). */
import type { WalletMessage } from '../wallet.ts';

/** The cryptography of wallet sign-in. */
export interface WalletVerifier {
  /** Returns the text to sign, or null if the address is not valid. */
  formatMessage(message: WalletMessage): Promise<string | null>;
  /** Returns null if the text is not a sign-in message. */
  parseMessage(text: string): Promise<WalletMessage | null>;
  /** Returns true if the wallet at this address signed the text: by its key, or (if a chain can be queried) as a contract. */
  verifySignature(text: string, signature: string, address: string): Promise<boolean>;
}
